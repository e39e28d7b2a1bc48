import { Button, Group } from '@mantine/core';
import { t } from 'i18next';
import { platformRoles } from '../../access/roles.js';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { Filter, useFilter } from '../../components/filter.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useNewDialog } from '../../components/use-new-dialog.js';
import { useParameter } from '../../components/use-parameter.js';
import { optionsOf, translated } from '../../i18n/options.js';
import { accountStatuses } from '../users/account-status.js';
import { AccountsTable } from './accounts-table.js';
import { CreateAccount } from './create-account.js';

function useServiceAccounts() {
  const q = useParameter('q')[0] ?? undefined;
  const role = useFilter('role', platformRoles);
  const status = useFilter('status', optionsOf(accountStatuses));
  const query = { q, role, status, sort: '-created_at', limit: 50 } as const;
  const list = useList(
    ['service-accounts', 'list', query],
    (cursor, signal) => api.GET('/api/service-accounts', { params: { query: { ...query, cursor } }, signal }),
    ({ service_accounts }) => service_accounts,
  );
  return { list, isFiltered: q !== undefined || role !== undefined || status !== undefined };
}

export function Component() {
  const { list, isFiltered } = useServiceAccounts();
  const creating = useNewDialog();
  const empty = isFiltered ? (
    <Empty title={t('No service accounts match your filters')}>
      {t('Try another name, role or status.')}
    </Empty>
  ) : (
    <Empty title={t('No service accounts yet')}>
      {t("Applications sign in with a service account instead of a user's password.")}
    </Empty>
  );
  return (
    <Page
      title={t('Service accounts')}
      lead={t('Applications sign in with a client secret and can access what is granted to them.')}
      actions={<Button onClick={creating.open}>{t('New service account')}</Button>}
    >
      <Group gap="sm" align="flex-start">
        <SearchField label={t('Search by name')} />
        <Filter label={t('Any role')} parameter="role" options={translated(platformRoles)} />
        <Filter label={t('Any status')} parameter="status" options={optionsOf(accountStatuses)} />
      </Group>
      <ListView list={list} empty={empty}>
        {(accounts) => <AccountsTable accounts={accounts} />}
      </ListView>
      {creating.isOpen && <CreateAccount onClose={creating.close} />}
    </Page>
  );
}
