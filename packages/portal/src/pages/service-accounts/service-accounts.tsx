import { Button, Group } from '@mantine/core';
import { platformRoles } from '../../access/roles.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { accountStatuses } from '../users/account-status.js';
import { AccountsTable } from './accounts-table.js';
import { CreateAccount } from './create-account.js';

function useServiceAccounts() {
  const q = useParameter('q')[0] ?? undefined;
  const role = useFilter('role', platformRoles);
  const status = useFilter('status', accountStatuses);
  const query = { q, role, status, sort: '-created_at', limit: 50 } as const;
  const list = useList(
    ['service-accounts', 'list', query],
    (cursor, signal) => api.GET('/api/service-accounts', { params: { query: { ...query, cursor } }, signal }),
    ({ service_accounts }) => service_accounts,
  );
  return { list, isNarrowed: q !== undefined || role !== undefined || status !== undefined };
}

export function Component() {
  const { list, isNarrowed } = useServiceAccounts();
  const [creates, setCreates] = useParameter('new');
  const empty = isNarrowed ? (
    <Empty title="No service account is like that">Try another name, role or status.</Empty>
  ) : (
    <Empty title="There is no service account yet">
      Programs sign in with one instead of somebody’s password.
    </Empty>
  );
  return (
    <Page
      title="Service accounts"
      lead="For programs. They sign in with a secret and see what they were granted."
      actions={<Button onClick={() => setCreates('yes')}>New service account</Button>}
    >
      <Group gap="sm" align="flex-start">
        <SearchField label="Search by name" />
        <Filter label="Any role" parameter="role" options={platformRoles} />
        <Filter label="Any status" parameter="status" options={accountStatuses} />
      </Group>
      <ListView list={list} empty={empty}>
        {(accounts) => <AccountsTable accounts={accounts} />}
      </ListView>
      {creates !== null && <CreateAccount onClose={() => setCreates(null)} />}
    </Page>
  );
}
