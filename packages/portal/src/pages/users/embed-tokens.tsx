import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { Section } from '../../components/section.js';
import type { User } from './use-user.js';

export const EmbedTokens = ({ user }: { user: User }) => (
  <Section
    title={t('Embed tokens')}
    lead={t(
      'Reports that this user opened recently. You can block embedding of reports that are still open.',
    )}
  >
    <Group>
      <Button component={Link} to={`/embedding?tab=tokens&user=${user.id}`} variant="default">
        {t('View embed tokens')}
      </Button>
    </Group>
  </Section>
);
