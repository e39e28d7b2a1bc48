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

/** Grants of groups and on reports are changed where they were given. */
const canChange = ({ source, path, report_id }: Grant): boolean =>
  source === 'manual' && path.length === 0 && report_id === null;

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
        {grants.map((grant, index) => (
          <Table.Tr key={index}>
            <Table.Td>
              <Anchor component={Link} to={`/workspaces/${grant.workspace_id}`}>
                {grant.workspace_name}
              </Anchor>
              {grant.report_id !== null && (
                <>
                  {' › '}
                  <Anchor component={Link} to={`/reports/${grant.report_id}`}>
                    {grant.report_name}
                  </Anchor>
                </>
              )}
            </Table.Td>
            <Table.Td>{roleName(grant.role)}</Table.Td>
            <Table.Td>
              <GrantSource source={grant.source} path={grant.path} />
            </Table.Td>
            <Table.Td>
              <Time at={grant.expires_at} />
            </Table.Td>
            <Table.Td className="row-actions">
              {canChange(grant) && (
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
