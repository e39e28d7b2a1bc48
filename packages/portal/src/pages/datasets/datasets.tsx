import { Select, SimpleGrid } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { DatasetDrawer } from './dataset-drawer.js';
import { DatasetTable } from './dataset-table.js';
import { MissingPolicies } from './missing-policies.js';

const policies = [
  { value: 'missing', label: 'Missing' },
  { value: 'set', label: 'Set' },
];

const policyOf = (value: string | null): 'missing' | 'set' | undefined =>
  value === 'missing' || value === 'set' ? value : undefined;

function useDatasets() {
  const [parameters] = useSearchParams();
  const q = parameters.get('q') ?? undefined;
  const workspace_id = parameters.get('workspace') ?? undefined;
  const policy = policyOf(parameters.get('policy'));
  const filters = { q, workspace_id, policy };
  const list = useList(
    ['datasets', 'list', filters],
    (cursor, signal) =>
      api.GET('/api/datasets', {
        params: { query: { ...filters, cursor, limit: 50, sort: 'name' } },
        signal,
      }),
    ({ datasets }) => datasets,
  );
  return { list, isFiltered: Object.values(filters).some((value) => value !== undefined) };
}

export function Component() {
  const [parameters] = useSearchParams();
  const { list, isFiltered } = useDatasets();
  const [workspace, setWorkspace] = useParameter('workspace');
  const [policy, setPolicy] = useParameter('policy');
  const [dataset, setDataset] = useParameter('dataset');
  const addressOf = (id: string) => {
    const address = new URLSearchParams(parameters);
    address.set('dataset', id);
    return `?${address.toString()}`;
  };
  return (
    <Page title="Datasets" lead="Who a viewer is inside the data behind the reports.">
      {policy !== 'missing' && <MissingPolicies onShow={() => setPolicy('missing')} />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
        <SearchField label="Search datasets" />
        <WorkspacePicker label="Workspace" value={workspace} onChange={setWorkspace} placeholder="All" />
        <Select
          label="Policy"
          placeholder="All"
          data={policies}
          value={policyOf(policy) ?? null}
          onChange={setPolicy}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear Policy' }}
        />
      </SimpleGrid>
      <ListView
        list={list}
        empty={
          isFiltered ? (
            <Empty title="No dataset is like that" />
          ) : (
            <Empty title="There is no dataset yet">They come with the first sync of Power BI.</Empty>
          )
        }
      >
        {(datasets) => <DatasetTable datasets={datasets} addressOf={addressOf} />}
      </ListView>
      {dataset !== null && <DatasetDrawer id={dataset} onClose={() => setDataset(null)} />}
    </Page>
  );
}
