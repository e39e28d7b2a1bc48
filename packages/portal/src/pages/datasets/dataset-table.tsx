import { Anchor, Badge, Code, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import { workspaces } from '../../api/sources.js';
import { NameOf } from '../../components/name-of.js';
import { type Dataset, needsOf, policyState } from './dataset-words.js';

function Policy({ policy }: { policy: Dataset['identity_policy'] }) {
  if (policy === null) return null;
  return (
    <Text size="sm" component="div">
      <Code>{policy.username}</Code>
      {policy.roles.length > 0 && ` in ${policy.roles.join(', ')}`}
    </Text>
  );
}

interface Props {
  datasets: Dataset[];
  /** The address that opens one, with the filters that are set. */
  addressOf: (id: string) => string;
}

export const DatasetTable = ({ datasets, addressOf }: Props) => (
  <Table.ScrollContainer minWidth={720}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Dataset</Table.Th>
          <Table.Th>Workspace</Table.Th>
          <Table.Th>Asks for</Table.Th>
          <Table.Th>Policy</Table.Th>
          <Table.Th>Who a viewer is</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {datasets.map((dataset) => {
          const needs = needsOf(dataset);
          const state = policyState(dataset);
          return (
            <Table.Tr key={dataset.id}>
              <Table.Td>
                <Anchor component={Link} to={addressOf(dataset.id)} preventScrollReset size="sm">
                  {dataset.name}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Anchor component={Link} to={`/workspaces/${dataset.workspace_id}`} size="sm">
                  <NameOf source={workspaces} id={dataset.workspace_id} />
                </Anchor>
              </Table.Td>
              <Table.Td>
                <Badge color={needs.color} variant="light" miw="max-content">
                  {needs.label}
                </Badge>
              </Table.Td>
              <Table.Td>
                <Badge
                  color={state.color}
                  variant={state.color === 'red' ? 'filled' : 'light'}
                  miw="max-content"
                >
                  {state.label}
                </Badge>
              </Table.Td>
              <Table.Td>
                <Policy policy={dataset.identity_policy} />
              </Table.Td>
            </Table.Tr>
          );
        })}
      </Table.Tbody>
    </Table>
  </Table.ScrollContainer>
);
