import { Anchor, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { roleName } from '../../access/roles.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { AccountStatus } from './account-status.js';
import type { User } from './use-user.js';

const Row = memo(({ user }: { user: User }) => (
  <Table.Tr>
    <Table.Td>
      <Anchor component={Link} to={`/users/${user.id}`}>
        {user.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {user.email}
      </Text>
    </Table.Td>
    <Table.Td>{roleName(user.role)}</Table.Td>
    <Table.Td>
      <AccountStatus status={user.status} />
    </Table.Td>
    <Table.Td>
      <Time at={user.last_sign_in_at} />
    </Table.Td>
  </Table.Tr>
));

export const UsersTable = ({ users }: { users: User[] }) => (
  <WideTable minWidth={560}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Name')}</Table.Th>
          <Table.Th>{t('Role')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th>{t('Last sign-in')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {users.map((user) => (
          <Row key={user.id} user={user} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
