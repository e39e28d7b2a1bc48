import { Stack, Table, Text } from '@mantine/core';
import { roleName } from '../../access/roles.js';
import { workspaces } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { Time } from '../../components/time.js';
import { Delivery } from './delivery.js';
import { InvitationActions } from './invitation-actions.js';
import { InvitationStatus } from './invitation-status.js';
import { Inviter } from './inviter.js';
import type { Invitation } from './use-invitations.js';

const Granted = ({ role, workspaces: granted }: Invitation) => (
  <Stack gap={2}>
    {role === 'admin' && <Text size="sm">Admin of everything</Text>}
    {granted.map((grant) => (
      <Text size="sm" key={grant.workspace_id}>
        <NameOf source={workspaces} id={grant.workspace_id} />
        <Text span size="xs" c="dimmed">
          {' '}
          {roleName(grant.role)}
        </Text>
      </Text>
    ))}
    {role === 'member' && granted.length === 0 && (
      <Text size="sm" c="dimmed">
        none yet
      </Text>
    )}
  </Stack>
);

const isOpen = ({ status }: Invitation): boolean => status === 'pending' || status === 'expired';

type OnResent = (resent: Invitation) => void;

const Row = ({ invitation, onResent }: { invitation: Invitation; onResent: OnResent }) => (
  <Table.Tr>
    <Table.Td>
      <Text size="sm">{invitation.name ?? invitation.email}</Text>
      {invitation.name !== null && (
        <Text size="xs" c="dimmed">
          {invitation.email}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Granted {...invitation} />
    </Table.Td>
    <Table.Td>
      <InvitationStatus status={invitation.status} />
      {isOpen(invitation) && (
        <Text size="xs" c="dimmed">
          {invitation.status === 'pending' ? 'until ' : ''}
          <Time at={invitation.expires_at} />
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Delivery invitation={invitation} />
    </Table.Td>
    <Table.Td>
      <Time at={invitation.created_at} />
      <Text size="xs" c="dimmed">
        by <Inviter id={invitation.invited_by} />
      </Text>
    </Table.Td>
    <Table.Td className="row-actions">
      {isOpen(invitation) && <InvitationActions invitation={invitation} onResent={onResent} />}
    </Table.Td>
  </Table.Tr>
);

interface Props {
  invitations: Invitation[];
  onResent: OnResent;
}

export const InvitationsTable = ({ invitations, onResent }: Props) => (
  <Table.ScrollContainer minWidth={860}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Who</Table.Th>
          <Table.Th>Workspaces</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Mail</Table.Th>
          <Table.Th>Invited</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invitations.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onResent={onResent} />
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
