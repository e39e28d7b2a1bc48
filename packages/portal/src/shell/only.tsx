import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Outlet } from 'react-router';
import { RequestAccessButton } from '../access/request-access-hint.js';
import { Page } from '../components/page.js';
import { QueryView } from '../components/query-view.js';
import { Empty, Loading } from '../components/states.js';
import { isAdmin, managesAny, useMe } from '../session/use-session.js';

/** Who a page is for. */
type Audience = 'admins' | 'managers';

export function Refused({ isFor = 'admins' }: { isFor?: Audience }) {
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

/** Around the pages that others get no response on: one message instead of a failure in each part. */
export function Only({ isFor }: { isFor: Audience }) {
  const me = useMe();
  const isAllowed = isFor === 'admins' ? isAdmin : managesAny;
  return (
    <QueryView query={me} loading={<Loading />}>
      {(person) => (isAllowed(person) ? <Outlet /> : <Refused isFor={isFor} />)}
    </QueryView>
  );
}
