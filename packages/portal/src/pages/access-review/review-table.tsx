import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { memo, useState } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { RemoveAction } from '../../access/grant-actions.js';
import { GrantSource, Through } from '../../access/grant-source.js';
import { RemoveGrant } from '../../access/remove-grant.js';
import { roleName } from '../../access/roles.js';
import { HolderName } from '../../access/target-grants-table.js';
import { HiddenHeader } from '../../components/hidden-header.js';
import { SortHeader } from '../../components/sort-header.js';
import { Time } from '../../components/time.js';
import { WideTable } from '../../components/wide-table.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import type { ReviewRow } from './review-row.js';

function Resource({ resource }: { resource: ReviewRow['resource'] }) {
  const { type, id, name, workspace_id, workspace_name } = resource;
  if (type === 'everything') return t('All workspaces and reports');
  return (
    <>
      <Anchor component={Link} to={`/workspaces/${workspace_id}`}>
        {workspace_name}
      </Anchor>
      {type === 'report' && (
        <>
          {' › '}
          <Anchor component={Link} to={`/reports/${id}`}>
            {name}
          </Anchor>
        </>
      )}
    </>
  );
}

const Granted = ({ row: { source, granted_by, granted_at, ...row } }: { row: ReviewRow }) =>
  source === null ? (
    '–'
  ) : (
    <>
      {granted_by === null ? <GrantSource source={source} /> : granted_by.name}
      <Text size="xs" c="dimmed" component="div">
        <Time size="xs" at={granted_at} none={t('Unknown')} />
      </Text>
      {row.granted_by_derived_right && (
        <Text size="xs" c="dimmed">
          {t('Through a group or SSO rule')}
        </Text>
      )}
    </>
  );

/** The groups between; for admins with a link to the one that holds the grant, where it is removed. */
function Path({ row: { path, group_id } }: { row: ReviewRow }) {
  const { data: me } = useMe();
  if (group_id === null || !isAdmin(me)) return <Through path={path} />;
  return (
    <Anchor component={Link} to={`/groups/${group_id}`} size="sm">
      <Through path={path} />
    </Anchor>
  );
}

/** Access through groups, rules and the admin role is removed there. */
const canRemove = ({ source, group_id }: ReviewRow): boolean => source === 'manual' && group_id === null;

interface RowProps {
  row: ReviewRow;
  onRemove: (row: ReviewRow) => void;
}

const Row = memo(({ row, onRemove }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <Group gap="xs">
        <div>
          <HolderName holder={{ ...row.user, type: 'user' }} />
        </div>
        {row.user.status === 'disabled' && (
          <Badge variant="light" color="gray">
            {t('Disabled')}
          </Badge>
        )}
      </Group>
    </Table.Td>
    <Table.Td>
      <Resource resource={row.resource} />
    </Table.Td>
    <Table.Td>{roleName(row.role)}</Table.Td>
    <Table.Td>{row.role === 'admin' ? '–' : <Path row={row} />}</Table.Td>
    <Table.Td>
      <Granted row={row} />
    </Table.Td>
    <Table.Td>
      <Time at={row.expires_at} />
    </Table.Td>
    <Table.Td>
      <Time at={row.last_token_at} />
    </Table.Td>
    <Table.Td className="row-actions">
      {canRemove(row) && <RemoveAction of={labelOf(row)} onRemove={() => onRemove(row)} />}
    </Table.Td>
  </Table.Tr>
));

const labelOf = ({ user, resource }: ReviewRow): string =>
  t('{{name}} from {{target}}', { name: user.name, target: resource.name });

const keyOf = ({ user, resource, group_id, source }: ReviewRow): string =>
  [user.id, resource.type, resource.id, group_id, source].join(' ');

function Removal({ row, onClose }: { row: ReviewRow; onClose: () => void }) {
  const { data: me } = useMe();
  const { type, id, name } = row.resource;
  if (type === 'everything' || id === null) return null;
  const place = { holder: { type: 'user', id: row.user.id }, target: { type, id } } as const;
  const isOwn = row.user.id === me?.id && !isAdmin(me);
  return <RemoveGrant holderName={row.user.name} targetName={name ?? ''} {...{ place, isOwn, onClose }} />;
}

const Headers = () => (
  <Table.Tr>
    <SortHeader label={t('User')} by="user" initial="user" />
    <SortHeader label={t('Workspace or report')} by="resource" initial="user" />
    <SortHeader label={t('Role')} by="role" initial="user" />
    <Table.Th>{t('Through')}</Table.Th>
    <SortHeader label={t('Granted by')} by="granted_by" initial="user" />
    <SortHeader label={t('Expires')} by="expires_at" initial="user" />
    <SortHeader label={t('Last opened')} by="last_token_at" initial="user" />
    <HiddenHeader label={t('Actions')} className="row-actions" />
  </Table.Tr>
);

export function ReviewTable({ rows }: { rows: ReviewRow[] }) {
  const [removed, setRemoved] = useState<ReviewRow>();
  return (
    <>
      <WideTable minWidth={940}>
        <Table verticalSpacing="sm">
          <Table.Thead>
            <Headers />
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Row key={keyOf(row)} row={row} onRemove={setRemoved} />
            ))}
          </Table.Tbody>
        </Table>
      </WideTable>
      {removed !== undefined && <Removal row={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}
