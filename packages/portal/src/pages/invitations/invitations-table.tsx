import { Stack, Table, Text } from '@mantine/core';
import { memo } from 'react';
import type { ReactNode } from 'react';
import { Trans } from 'react-i18next';
import { t } from 'i18next';
import { roleName } from '../../access/roles.js';
import { groups, reports } from '../../api/sources.js';
import { workspaces } from '../../api/workspace-source.js';
import { Author } from '../../components/author.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { NameOf } from '../../components/name-of.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { Delivery } from './delivery.js';
import { InvitationActions } from './invitation-actions.js';
import { InvitationStatus } from './invitation-status.js';
import type { Invitation } from './use-invitations.js';

interface GrantedProps {
  name: ReactNode;
  detail: string;
}

const Granted = ({ name, detail }: GrantedProps) => (
  <Text size="sm">
    {name}
    <Text span size="xs" c="dimmed">
      {' '}
      {detail}
    </Text>
  </Text>
);

const Access = ({ role, workspaces: granted, reports: shared, groups: joined }: Invitation) => (
  <Stack gap={2}>
    {role === 'admin' && <Text size="sm">{roleName('admin')}</Text>}
    {granted.map(({ workspace_id: id, role: each }) => (
      <Granted key={id} name={<NameOf source={workspaces} id={id} />} detail={roleName(each)} />
    ))}
    {shared.map(({ report_id: id, role: each }) => (
      <Granted
        key={id}
        name={<NameOf source={reports} id={id} />}
        detail={t('{{role}}, report', { role: roleName(each) })}
      />
    ))}
    {joined.map((id) => (
      <Granted key={id} name={<NameOf source={groups} id={id} />} detail={t('Group')} />
    ))}
    {role === 'member' && granted.length + shared.length + joined.length === 0 && (
      <Text size="sm" c="dimmed">
        {t('No access')}
      </Text>
    )}
  </Stack>
);

export const canBeResent = ({ status }: Invitation): boolean => status === 'pending' || status === 'expired';

type OnResent = (resent: Invitation) => void;

const Row = memo(({ invitation, onResent }: { invitation: Invitation; onResent: OnResent }) => (
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
      <Access {...invitation} />
    </Table.Td>
    <Table.Td>
      <InvitationStatus status={invitation.status} />
      {canBeResent(invitation) && (
        <Text size="xs" c="dimmed">
          {invitation.status === 'pending' ? (
            <Trans
              i18nKey="Expires <time />"
              components={{ time: <Time size="xs" at={invitation.expires_at} /> }}
            />
          ) : (
            <Time size="xs" at={invitation.expires_at} />
          )}
        </Text>
      )}
    </Table.Td>
    <Table.Td>
      <Delivery invitation={invitation} />
    </Table.Td>
    <Table.Td>
      <Time at={invitation.created_at} />
      <Text size="xs" c="dimmed">
        <Author id={invitation.invited_by} />
      </Text>
    </Table.Td>
    <Table.Td className="row-actions">
      {canBeResent(invitation) && <InvitationActions invitation={invitation} onResent={onResent} />}
    </Table.Td>
  </Table.Tr>
));

interface Props {
  invitations: Invitation[];
  onResent: OnResent;
}

export const InvitationsTable = ({ invitations, onResent }: Props) => (
  <WideTable minWidth={860}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('User')}</Table.Th>
          <Table.Th>{t('Access')}</Table.Th>
          <Table.Th>{t('Status')}</Table.Th>
          <Table.Th>{t('Delivery')}</Table.Th>
          <Table.Th>{t('Invited')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {invitations.map((invitation) => (
          <Row key={invitation.id} invitation={invitation} onResent={onResent} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
