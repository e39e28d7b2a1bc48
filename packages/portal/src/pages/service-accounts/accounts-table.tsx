import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { roleName } from '../../access/roles.js';
import { Time } from '../../components/time.js';
import { AccountStatus } from '../users/account-status.js';
import { secretState } from './secret-state.js';
import type { ServiceAccount } from './use-service-account.js';

function Row({ account }: { account: ServiceAccount }) {
  const { color, text } = secretState(account);
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
}

export const AccountsTable = ({ accounts }: { accounts: ServiceAccount[] }) => (
  <Table.ScrollContainer minWidth={640}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Secrets</Table.Th>
          <Table.Th>Last use</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {accounts.map((account) => (
          <Row key={account.id} account={account} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
