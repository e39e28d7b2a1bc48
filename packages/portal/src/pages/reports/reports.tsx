import { SimpleGrid } from '@mantine/core';
import { ListView } from '../../components/list-view.js';
import { Page } from '../../components/page.js';
import { RowCount } from '../../components/row-count.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WorkspacePicker } from '../../components/workspace-picker.js';
import { ReportRows } from './report-rows.js';
import { useReports } from './use-reports.js';

function emptyFor(q: string | undefined, isFiltered: boolean) {
  if (q !== undefined)
    return <Empty title={`No report${isFiltered ? ' of this workspace' : ''} has “${q}” in its name`} />;
  if (isFiltered) return <Empty title="There are no reports in this workspace" />;
  return (
    <Empty title="You see no report yet">
      A manager of a workspace, or an administrator, can invite you to it.
    </Empty>
  );
}

export function Component() {
  const [workspace, setWorkspace] = useParameter('workspace');
  const { list, q } = useReports(workspace ?? undefined);
  return (
    <Page title="Reports" lead={<RowCount list={list} one="report" many="reports" />}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm" style={{ alignItems: 'end' }}>
        <SearchField label="Search reports" />
        <WorkspacePicker label="Workspace" value={workspace} onChange={setWorkspace} placeholder="All" />
      </SimpleGrid>
      <ListView list={list} empty={emptyFor(q, workspace !== null)}>
        {(reports) => <ReportRows reports={reports} withWorkspace />}
      </ListView>
    </Page>
  );
}
