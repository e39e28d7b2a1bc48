import { Table } from '@mantine/core';
import { RemoveAction } from '../../access/grant-actions.js';
import { Through } from '../../access/grant-source.js';
import { HolderName } from '../../access/target-grants-table.js';
import type { GroupMember } from './use-groups.js';

interface Props {
  members: GroupMember[];
  /** Whether the rows are all people, with the groups in between. */
  isEffective: boolean;
  /** Undefined if members cannot be removed here. */
  onRemove?: (member: GroupMember) => void;
}

export const MembersTable = ({ members, isEffective, onRemove }: Props) => (
  <Table verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Name</Table.Th>
        {isEffective ? <Table.Th w="45%">Through</Table.Th> : <Table.Th aria-label="Actions" w={60} />}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {members.map((member) => (
        <Table.Tr key={member.id}>
          <Table.Td>
            <HolderName holder={member} />
          </Table.Td>
          {isEffective ? (
            <Table.Td>
              <Through path={member.path ?? []} />
            </Table.Td>
          ) : (
            <Table.Td ta="right">
              {onRemove && <RemoveAction of={member.name} onRemove={() => onRemove(member)} />}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);
