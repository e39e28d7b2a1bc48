import { Select, SimpleGrid } from '@mantine/core';
import { useSearchParams } from 'react-router';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { msg } from '../../i18n/index.js';
import { DatasetDrawer } from './dataset-drawer.js';
import { DatasetTable } from './dataset-table.js';
import { MissingPolicies } from './missing-policies.js';

const policies = [
  { value: 'missing', label: msg('Missing') },
  { value: 'set', label: msg('Set') },
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
  const urlOf = (id: string) => {
    const url = new URLSearchParams(parameters);
    url.set('dataset', id);
    return `?${url.toString()}`;
  };
  return (
    <Page
      title={t('Datasets')}
      lead={t('Row-level security: the identity that viewers have in the data behind the reports.')}
    >
      {policy !== 'missing' && <MissingPolicies onShow={() => setPolicy('missing')} />}
      <SimpleGrid cols={{ base: 1, sm: 3 }} style={{ alignItems: 'end' }}>
        <SearchField label={t('Search datasets')} />
        <WorkspacePicker
          label={t('Workspace')}
          value={workspace}
          onChange={setWorkspace}
          placeholder={t('All')}
        />
        <Select
          label={t('Policy')}
          placeholder={t('All')}
          data={policies.map(({ value, label }) => ({ value, label: t(label) }))}
          value={policyOf(policy) ?? null}
          onChange={setPolicy}
          clearable
          clearButtonProps={{ 'aria-label': t('Clear {{field}}', { field: t('Policy') }) }}
        />
      </SimpleGrid>
      <ListView
        list={list}
        empty={
          isFiltered ? (
            <Empty title={t('No datasets match your filters')} />
          ) : (
            <Empty title={t('No datasets yet')}>{t('Datasets appear after the first sync.')}</Empty>
          )
        }
      >
        {(datasets) => <DatasetTable datasets={datasets} urlOf={urlOf} />}
      </ListView>
      {dataset !== null && <DatasetDrawer key={dataset} id={dataset} onClose={() => setDataset(null)} />}
    </Page>
  );
}
