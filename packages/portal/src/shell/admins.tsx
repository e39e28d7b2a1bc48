import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, Outlet } from 'react-router';
import { Page } from '../components/page.js';
import { QueryView } from '../components/query-view.js';
import { Empty, Loading } from '../components/states.js';
import { isAdmin, useMe } from '../session/use-session.js';

export function Refused() {
  const { t } = useTranslation();
  return (
    <Page title={t('Access denied')}>
      <Empty title={t('Only admins can view this page')}>
        {t('Contact an admin if you need access.')}
        <div>
          <Button component={Link} to="/" mt="sm">
            {t('Go to Home')}
          </Button>
        </div>
      </Empty>
    </Page>
  );
}

/** Around the pages that only admins get a response on: one message instead of a failure in each part. */
export function Admins() {
  const me = useMe();
  return (
    <QueryView query={me} loading={<Loading />}>
      {(person) => (isAdmin(person) ? <Outlet /> : <Refused />)}
    </QueryView>
  );
}
