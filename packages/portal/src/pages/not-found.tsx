import { Anchor, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { SupportLink } from '../branding/support-link.js';
import { Page } from '../components/page.js';

export function NotFound() {
  const { t } = useTranslation();
  return (
    <Page title={t('Page not found')} lead={t('Check the address, or use the search.')}>
      <Group>
        <Anchor component={Link} to="/">
          {t('Go to Home')}
        </Anchor>
        <SupportLink />
      </Group>
    </Page>
  );
}
