import { Button, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useWorkspace } from '../../api/use-workspace.js';
import { ListView } from '../../components/list-view.js';
import { SearchField } from '../../components/search-field.js';
import { Empty } from '../../components/states.js';
import { isAdmin, useMe } from '../../session/use-session.js';
import { ReportRows } from '../reports/report-rows.js';
import { useReports } from '../reports/use-reports.js';

function NoReports({ q }: { q: string | undefined }) {
  const { t } = useTranslation();
  const { data: me } = useMe();
  if (q !== undefined) return <Empty title={t('No reports in this workspace match “{{q}}”', { q })} />;
  return (
    <Empty title={t('This workspace has no reports yet')}>
      {isAdmin(me) ? (
        <>
          {t('Reports are imported from Power BI by a sync.')}
          <div>
            <Button component={Link} to="/syncs" mt="sm">
              {t('Go to Syncs')}
            </Button>
          </div>
        </>
      ) : (
        t('Reports published to this workspace in Power BI appear here after the next sync.')
      )}
    </Empty>
  );
}

export function WorkspaceReports({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const { list, q } = useReports(workspaceId);
  const total = useWorkspace(workspaceId).data?.report_count;
  return (
    <Stack gap="lg">
      <SearchField label={t('Search reports')} />
      <ListView list={list} empty={<NoReports q={q} />} total={q === undefined ? total : undefined}>
        {(reports) => <ReportRows reports={reports} />}
      </ListView>
    </Stack>
  );
}
