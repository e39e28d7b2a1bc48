import { Button, Group } from '@mantine/core';
import { Link } from 'react-router';
import { t } from 'i18next';
import { platformRoles } from '../../access/roles.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { optionsOf, translated } from '../../i18n/options.js';
import { accountStatuses } from './account-status.js';
import { MatchingInvitations } from './matching-invitations.js';
import { UsersTable } from './users-table.js';

function useUsers() {
  const q = useParameter('q')[0] ?? undefined;
  const role = useFilter('role', platformRoles);
  const status = useFilter('status', optionsOf(accountStatuses));
  const query = { q, role, status, kind: 'person', sort: 'email', limit: 50, count: true } as const;
  const list = useList(
    ['users', 'list', query],
    (cursor, signal) => api.GET('/api/users', { params: { query: { ...query, cursor } }, signal }),
    ({ users }) => users,
  );
  return { q, list, isFiltered: q !== undefined || role !== undefined || status !== undefined };
}

export function Component() {
  const { q, list, isFiltered } = useUsers();
  const empty = isFiltered ? (
    <Empty title={t('No users match your filters')}>{t('Try another name, role or status.')}</Empty>
  ) : (
    <Empty title={t('No users yet')} />
  );
  return (
    <Page
      title={t('Users')}
      actions={
        <Button component={Link} to="/invitations?new=yes">
          {t('Invite user')}
        </Button>
      }
    >
      <Group gap="sm" align="flex-start">
        <SearchField label={t('Search by name or email')} />
        <Filter label={t('Any role')} parameter="role" options={translated(platformRoles)} />
        <Filter label={t('Any status')} parameter="status" options={optionsOf(accountStatuses)} />
      </Group>
      {q !== undefined && (
        <Group gap="md">
          <MatchingInvitations q={q} status="pending" />
          <MatchingInvitations q={q} status="expired" />
        </Group>
      )}
      <ListView list={list} empty={empty}>
        {(users) => <UsersTable users={users} />}
      </ListView>
    </Page>
  );
}
