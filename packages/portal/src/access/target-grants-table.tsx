import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import type { components } from '../api/schema.js';
import { HiddenHeader } from '../components/hidden-header.js';
import { Time } from '../components/time.js';
import { WideTable } from '../components/wide-table.js';
import { isAdmin, useMe } from '../session/use-session.js';
import { GrantActions, RemoveAction } from './grant-actions.js';
import { GrantSource } from './grant-source.js';
import { roleName } from './roles.js';

export type TargetGrant = components['schemas']['TargetGrantDto'];

/** Rows render again if these functions change. */
interface RowActions {
  onChange: (grant: TargetGrant) => void;
  onRemove: (grant: TargetGrant) => void;
}

interface Props extends RowActions {
  grants: TargetGrant[];
}

interface RowProps extends RowActions {
  grant: TargetGrant;
}

interface NamedHolder {
  type: 'user' | 'group';
  id: string;
  name: string;
  /** Null for groups and service accounts. */
  email?: string | null;
}

const pageOf = ({ type, id, email }: NamedHolder): string => {
  if (type === 'group') return `/groups/${id}`;
  return (email ?? null) === null ? `/service-accounts/${id}` : `/users/${id}`;
};

const kindOf = ({ type, email }: NamedHolder): string =>
  type === 'group' ? t('Group') : (email ?? t('Service account'));

/** Name with email address or kind; for admins a link to the page. */
export function HolderName({ holder }: { holder: NamedHolder }) {
  const { data: me } = useMe();
  return (
    <>
      <Group gap="xs">
        {isAdmin(me) ? (
          <Anchor component={Link} to={pageOf(holder)}>
            {holder.name}
          </Anchor>
        ) : (
          holder.name
        )}
        {me?.id === holder.id && <Badge variant="light">{t('You')}</Badge>}
      </Group>
      <Text size="xs" c="dimmed">
        {kindOf(holder)}
      </Text>
    </>
  );
}

/** Managers cannot change their own grant; admins can. */
function Actions({ grant, onChange, onRemove }: RowProps) {
  const { data: me } = useMe();
  const of = grant.holder.name;
  if (grant.source !== 'manual') return null;
  if (me?.id === grant.holder.id && !isAdmin(me))
    return <RemoveAction of={of} onRemove={() => onRemove(grant)} />;
  return <GrantActions of={of} onChange={() => onChange(grant)} onRemove={() => onRemove(grant)} />;
}

const Row = memo(({ grant, onChange, onRemove }: RowProps) => (
  <Table.Tr>
    <Table.Td>
      <HolderName holder={grant.holder} />
    </Table.Td>
    <Table.Td>{roleName(grant.role)}</Table.Td>
    <Table.Td>
      <GrantSource source={grant.source} />
    </Table.Td>
    <Table.Td>{grant.granted_by?.name ?? '–'}</Table.Td>
    <Table.Td>
      <Time at={grant.expires_at} />
    </Table.Td>
    <Table.Td className="row-actions">
      <Actions {...{ grant, onChange, onRemove }} />
    </Table.Td>
  </Table.Tr>
));

export const TargetGrantsTable = ({ grants, onChange, onRemove }: Props) => (
  <WideTable minWidth={680}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Name')}</Table.Th>
          <Table.Th>{t('Role')}</Table.Th>
          <Table.Th>{t('Source')}</Table.Th>
          <Table.Th>{t('Granted by')}</Table.Th>
          <Table.Th>{t('Expires')}</Table.Th>
          <HiddenHeader label={t('Actions')} className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {grants.map((grant) => (
          <Row key={`${grant.holder.id} ${grant.source}`} {...{ grant, onChange, onRemove }} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
