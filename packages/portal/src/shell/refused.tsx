import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { RequestAccessButton } from '../access/request-access-hint.js';
import { Page } from '../components/page.js';
import { Empty } from '../components/states.js';

/** Who a page is for. */
export type Audience = 'admins' | 'managers';

export default function Refused({ isFor = 'admins' }: { isFor?: Audience }) {
  const { t } = useTranslation();
  const title =
    isFor === 'admins'
      ? t('Only administrators can view this page')
      : t('Only administrators and managers of a workspace can view this page');
  return (
    <Page title={t('Access denied')}>
      <Empty title={title}>
        {t('Contact an administrator if you need access.')}
        <Group justify="center" gap="sm" mt="sm">
          <Button component={Link} to="/">
            {t('Go to Home')}
          </Button>
          <RequestAccessButton />
        </Group>
      </Empty>
    </Page>
  );
}
