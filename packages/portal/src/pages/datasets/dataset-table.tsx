import { Anchor, Badge, Code, Table, Text } from '@mantine/core';
import { memo } from 'react';
import { Link } from 'react-router';
import { t } from 'i18next';
import { workspaces } from '../../api/workspace-source.js';
import { NameOf } from '../../components/name-of.js';
import { WideTable } from '../../components/wide-table.js';
import { type Dataset, needsOf, policyState } from './dataset-texts.js';

function Policy({ policy }: { policy: Dataset['identity_policy'] }) {
  if (policy === null) return null;
  return (
    <Text size="sm" component="div">
      <Code>{policy.username}</Code>
      {policy.roles.length > 0 && ` · ${policy.roles.join(', ')}`}
    </Text>
  );
}

interface RowProps {
  dataset: Dataset;
  /** Opens it and keeps the filters. */
  url: string;
}

const Row = memo(function Row({ dataset, url }: RowProps) {
  const needs = needsOf(dataset);
  const state = policyState(dataset);
  return (
    <Table.Tr>
      <Table.Td>
        <Anchor component={Link} to={url} preventScrollReset size="sm">
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
          {t(needs.label)}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Badge color={state.color} variant={state.color === 'red' ? 'filled' : 'light'} miw="max-content">
          {t(state.label)}
        </Badge>
      </Table.Td>
      <Table.Td>
        <Policy policy={dataset.identity_policy} />
      </Table.Td>
    </Table.Tr>
  );
});

interface Props {
  datasets: Dataset[];
  /** The URL that opens one and keeps the filters. */
  urlOf: (id: string) => string;
}

export const DatasetTable = ({ datasets, urlOf }: Props) => (
  <WideTable minWidth={720}>
    <Table highlightOnHover verticalSpacing="sm">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('Dataset')}</Table.Th>
          <Table.Th>{t('Workspace')}</Table.Th>
          <Table.Th>{t('Requires')}</Table.Th>
          <Table.Th>{t('Policy')}</Table.Th>
          <Table.Th>{t('Identity sent')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {datasets.map((dataset) => (
          <Row key={dataset.id} dataset={dataset} url={urlOf(dataset.id)} />
        ))}
      </Table.Tbody>
    </Table>
  </WideTable>
);
