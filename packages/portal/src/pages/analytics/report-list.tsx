import { Group } from '@mantine/core';
import { t } from 'i18next';
import { api } from '../../api/client.js';
import { useList } from '../../api/use-list.js';
import { ListView } from '../../components/list-view.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { AnalyticsPage } from './analytics-page.js';
import { usePeriod } from './period.js';
import { ReportTable } from './report-table.js';

const sorts = [
  'name',
  '-name',
  'views',
  '-views',
  'seconds',
  '-seconds',
  'opening',
  '-opening',
  'failures',
  '-failures',
  'last_viewed_at',
  '-last_viewed_at',
] as const;

export function Component() {
  const { query: period } = usePeriod();
  const q = useParameter('q')[0] ?? undefined;
  const [given] = useParameter('sort');
  const [workspace, setWorkspace] = useParameter('workspace');
  const sort = sorts.find((each) => each === given) ?? '-views';
  const query = { ...period, q, sort, workspace_id: workspace ?? undefined };
  const list = useList(
    ['usage', 'reports', 'list', query],
    (cursor, signal) =>
      api.GET('/api/usage/reports', { params: { query: { ...query, cursor, limit: 50 } }, signal }),
    (page) => (typeof page === 'string' ? [] : page.reports),
  );
  return (
    <AnalyticsPage
      title={t('Report usage')}
      file="usage-reports"
      request={(options) => api.GET('/api/usage/reports', { params: { query }, ...options })}
    >
      <Group gap="sm" align="flex-end">
        <SearchField label={t('Search reports')} />
        <WorkspacePicker label={t('Workspace')} value={workspace} onChange={setWorkspace} />
      </Group>
      <ListView list={list} empty={<Empty title={t('No reports match your filters')} />}>
        {(reports) => <ReportTable reports={reports} sortable />}
      </ListView>
    </AnalyticsPage>
  );
}
