import { Anchor } from '@mantine/core';
import { Link, Outlet } from 'react-router';
import { Page } from '../components/page.js';
import { QueryView } from '../components/query-view.js';
import { Empty, Loading } from '../components/states.js';
import { isAdmin, useMe } from '../session/use-session.js';

export const Refused = () => (
  <Page title="For administrators">
    <Empty title="Only administrators see this page">
      Ask one if you need something from it, or go{' '}
      <Anchor component={Link} to="/">
        back to your workspaces
      </Anchor>
      .
    </Empty>
  </Page>
);

/** Around the pages that only administrators get an answer on: others are told so, instead of a failure in each part. */
export function Admins() {
  const me = useMe();
  return (
    <QueryView query={me} loading={<Loading />}>
      {(person) => (isAdmin(person) ? <Outlet /> : <Refused />)}
    </QueryView>
  );
}
