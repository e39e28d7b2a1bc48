import { Anchor, Stack } from '@mantine/core';
import { Link } from 'react-router';
import { ListView } from '../../components/list-view.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { ReportRows } from '../reports/report-rows.js';
import { useReports } from '../reports/use-reports.js';

function NoReports({ q }: { q: string | undefined }) {
  const { data: me } = useMe();
  if (q !== undefined) return <Empty title={`No report of this workspace has “${q}” in its name`} />;
  return (
    <Empty title="There are no reports in this workspace yet">
      {isAdmin(me) ? (
        <>
          What is put into it in Power BI appears with the next{' '}
          <Anchor component={Link} to="/syncs">
            sync
          </Anchor>
          .
        </>
      ) : (
        'They appear here soon after somebody has put them into it in Power BI.'
      )}
    </Empty>
  );
}

export function WorkspaceReports({ workspaceId }: { workspaceId: string }) {
  const { list, q } = useReports(workspaceId);
  return (
    <Stack gap="lg">
      <SearchField label="Search reports" />
      <ListView list={list} empty={<NoReports q={q} />}>
        {(reports) => <ReportRows reports={reports} />}
      </ListView>
    </Stack>
  );
}
