import { Anchor, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { roleName } from '../../access/roles.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { AccountStatus } from '../users/account-status.js';
import { useSecretState } from './secret-state.js';
import type { ServiceAccount } from './use-service-account.js';

const Row = memo(function Row({ account }: { account: ServiceAccount }) {
  const { color, text } = useSecretState(account);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={`/service-accounts/${account.id}`}>
          {account.name}
        </Anchor>
      </Table.Td>
      <Table.Td>{roleName(account.role)}</Table.Td>
      <Table.Td>
        <AccountStatus status={account.status} />
      </Table.Td>
      <Table.Td>
        <Text size="sm" c={color === 'gray' ? undefined : `var(--mantine-color-${color}-light-color)`}>
          {text}
        </Text>
      </Table.Td>
      <Table.Td>
        <Time at={account.last_sign_in_at} />
      </Table.Td>
    </Table.Tr>
  );
});

export const AccountsTable = ({ accounts }: { accounts: ServiceAccount[] }) => (
  <WideTable minWidth={640}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Name')}</Table.Th>
          <Table.Th>{t('Role')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th>{t('Secrets')}</Table.Th>
          <Table.Th>{t('Last used')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map((account) => (
          <Row key={account.id} account={account} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
