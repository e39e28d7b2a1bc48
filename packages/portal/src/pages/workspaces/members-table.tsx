import { Anchor, Badge, Group, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { GrantActions } from '../../access/grant-actions.js';
import { GrantSource } from '../../access/grant-source.js';
import { roleName } from '../../access/roles.js';
import type { components } from '../../api/schema.js';
import { Time } from '../../components/time.js';
import { isAdmin, useMe } from '../../session/use-session.js';

export type Member = components['schemas']['MemberDto'];

interface Props {
  members: Member[];
  onChange: (member: Member) => void;
  onRemove: (member: Member) => void;
}

/** Stands in the place of an address where there is none. */
const isProgram = ({ email }: Member): boolean => email.endsWith('@service.invalid');

function Who({ member }: { member: Member }) {
  const { data: me } = useMe();
  const program = isProgram(member);
  const page = program ? `/service-accounts/${member.user_id}` : `/users/${member.user_id}`;
  return (
    <>
      <Group gap="xs">
        {isAdmin(me) ? (
          <Anchor component={Link} to={page}>
            {member.name}
          </Anchor>
        ) : (
          member.name
        )}
        {me?.id === member.user_id && <Badge variant="light">you</Badge>}
      </Group>
      <Text size="xs" c="dimmed">
        {program ? 'Service account' : member.email}
      </Text>
    </>
  );
}

export const MembersTable = ({ members, onChange, onRemove }: Props) => (
  <Table.ScrollContainer minWidth={600}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Given</Table.Th>
          <Table.Th>Ends</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {members.map((member) => (
          <Table.Tr key={member.user_id}>
            <Table.Td>
              <Who member={member} />
            </Table.Td>
            <Table.Td>{roleName(member.role)}</Table.Td>
            <Table.Td>
              <GrantSource source={member.source} />
            </Table.Td>
            <Table.Td>
              <Time at={member.expires_at} />
            </Table.Td>
            <Table.Td className="row-actions">
              {member.source === 'manual' && (
                <GrantActions
                  of={member.name}
                  onChange={() => onChange(member)}
                  onRemove={() => onRemove(member)}
                />
              )}
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
