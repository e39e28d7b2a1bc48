import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { Section } from '../../components/section.js';
import type { User } from './use-user.js';

export const EmbedTokens = ({ user }: { user: User }) => (
  <Section title="Embed tokens" lead="Which reports this person opened lately, and how to stop what is open.">
    <Group>
      <Button component={Link} to={`/embedding?tab=tokens&user=${user.id}`} variant="default">
        Show embed tokens
      </Button>
    </Group>
  </Section>
);
