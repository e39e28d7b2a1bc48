import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { components } from '../api/schema.js';
import { Time } from '../components/time.js';
import { isAdmin, useMe } from '../session/use-session.js';
import { GrantActions } from './grant-actions.js';
import { GrantSource } from './grant-source.js';
import { roleName } from './roles.js';

export type TargetGrant = components['schemas']['TargetGrantDto'];

interface Props {
  grants: TargetGrant[];
  onChange: (grant: TargetGrant) => void;
  onRemove: (grant: TargetGrant) => void;
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
  type === 'group' ? 'Group' : (email ?? 'Service account');

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
        {me?.id === holder.id && <Badge variant="light">you</Badge>}
      </Group>
      <Text size="xs" c="dimmed">
        {kindOf(holder)}
      </Text>
    </>
  );
}

export const TargetGrantsTable = ({ grants, onChange, onRemove }: Props) => (
  <Table.ScrollContainer minWidth={680}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Source</Table.Th>
          <Table.Th>Granted by</Table.Th>
          <Table.Th>Expires</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {grants.map((grant) => (
          <Table.Tr key={`${grant.holder.id} ${grant.source}`}>
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
              {grant.source === 'manual' && (
                <GrantActions
                  of={grant.holder.name}
                  onChange={() => onChange(grant)}
                  onRemove={() => onRemove(grant)}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
