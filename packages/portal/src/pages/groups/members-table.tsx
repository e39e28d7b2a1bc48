import { Table } from '@mantine/core';
import { memo } from 'react';
import { t } from 'i18next';
import { RemoveAction } from '../../access/grant-actions.js';
import { Through } from '../../access/grant-source.js';
import { HolderName } from '../../access/target-grants-table.js';
import type { GroupMember } from './use-groups.js';
import { HiddenHeader } from '../../components/hidden-header.js';

interface RowProps {
  member: GroupMember;
  /** Whether the rows are all people, with the groups in between. */
  isEffective: boolean;
  /** Undefined if members cannot be removed here. */
  onRemove?: (member: GroupMember) => void;
}

interface Props extends Omit<RowProps, 'member'> {
  members: GroupMember[];
}

const Row = memo(({ member, isEffective, onRemove }: RowProps) => (
  <Table.Tr>
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
));

export const MembersTable = ({ members, isEffective, onRemove }: Props) => (
  <Table verticalSpacing="sm" layout="fixed">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>{t('Name')}</Table.Th>
        {isEffective ? (
          <Table.Th w="45%">{t('Through')}</Table.Th>
        ) : (
          <HiddenHeader label={t('Actions')} w={60} />
        )}
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {members.map((member) => (
        <Row key={member.id} {...{ member, isEffective, onRemove }} />
      ))}
    </Table.Tbody>
  </Table>
);
