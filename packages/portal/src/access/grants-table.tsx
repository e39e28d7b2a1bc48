import { Anchor, Table } from '@mantine/core';
import { Link } from 'react-router';
import { Time } from '../components/time.js';
import { GrantActions } from './grant-actions.js';
import { GrantSource } from './grant-source.js';
import type { Grant } from './grants-of.js';
import { roleName } from './roles.js';

interface Props {
  grants: Grant[];
  onChange: (grant: Grant) => void;
  onRemove: (grant: Grant) => void;
}

export const GrantsTable = ({ grants, onChange, onRemove }: Props) => (
  <Table.ScrollContainer minWidth={600}>
    <Table verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Workspace</Table.Th>
          <Table.Th>Role</Table.Th>
          <Table.Th>Given</Table.Th>
          <Table.Th>Ends</Table.Th>
          <Table.Th aria-label="Actions" className="row-actions" />
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {grants.map((grant) => (
          <Table.Tr key={`${grant.workspace_id} ${grant.source}`}>
            <Table.Td>
              <Anchor component={Link} to={`/workspaces/${grant.workspace_id}`}>
                {grant.workspace_name}
              </Anchor>
            </Table.Td>
            <Table.Td>{roleName(grant.role)}</Table.Td>
            <Table.Td>
              <GrantSource source={grant.source} />
            </Table.Td>
            <Table.Td>
              <Time at={grant.expires_at} />
            </Table.Td>
            <Table.Td className="row-actions">
              {grant.source === 'manual' && (
                <GrantActions
                  of={grant.workspace_name}
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
