import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { platformRoles } from '../../access/roles.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { accountStatuses } from './account-status.js';
import { UsersTable } from './users-table.js';

function useUsers() {
  const q = useParameter('q')[0] ?? undefined;
  const role = useFilter('role', platformRoles);
  const status = useFilter('status', accountStatuses);
  const query = { q, role, status, kind: 'person', sort: 'email', limit: 50 } as const;
  const list = useList(
    ['users', 'list', query],
    (cursor, signal) => api.GET('/api/users', { params: { query: { ...query, cursor } }, signal }),
    ({ users }) => users,
  );
  return { list, isNarrowed: q !== undefined || role !== undefined || status !== undefined };
}

export function Component() {
  const { list, isNarrowed } = useUsers();
  const empty = isNarrowed ? (
    <Empty title="Nobody is like that">Try another name, role or status.</Empty>
  ) : (
    <Empty title="Nobody is here yet" />
  );
  return (
    <Page
      title="Users"
      actions={
        <Button component={Link} to="/invitations?new=yes">
          Invite user
        </Button>
      }
    >
      <Group gap="sm" align="flex-start">
        <SearchField label="Search by name or e-mail" />
        <Filter label="Any role" parameter="role" options={platformRoles} />
        <Filter label="Any status" parameter="status" options={accountStatuses} />
      </Group>
      <ListView list={list} empty={empty}>
        {(users) => <UsersTable users={users} />}
      </ListView>
    </Page>
  );
}
