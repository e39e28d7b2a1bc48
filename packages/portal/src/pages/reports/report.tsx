import './reports.css';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { useReportDto } from '../../api/use-report-dto.js';
import { useWorkspace } from '../../api/use-workspace.js';
import { notifyDone } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { isGone } from '../../components/query-view.js';
import { ProblemAlert } from '../../components/states.js';
import { useAutomaticParameter, useParameter } from '../../components/use-parameter.js';
import { WayBack } from '../../components/way-back.js';
import { LoadingReport } from '../../embedding/covers.js';
import type { ReportControls } from '../../embedding/report-controls.js';
import { ReportStage } from '../../embedding/report-stage.js';
import { load } from '../../load/load-error.js';
import { edits, isAdmin, useMe } from '../../session/use-session.js';
import { ReportCount } from '../analytics/report-count.js';
import { Freshness } from './freshness.js';
import { PaginatedBadge } from './paginated-badge.js';
import type { Report } from './report-rows.js';
import { Toolbar } from './toolbar.js';
import { useShownAge } from './use-shown-age.js';
import { useViewInUrl } from './views/use-view-in-url.js';

const LeaveEditing = lazy(load(() => import('./leave-editing.js')));
const RequestAccess = lazy(
  load(async () => ({ default: (await import('../../access/request-access.js')).RequestAccess })),
);

interface NoReportProps {
  id: string;
  error: unknown;
  onRetry: () => void;
}

function NoReport({ id, error, onRetry }: NoReportProps) {
  const { t } = useTranslation();
  return (
    <Page title={t('Report')} above={<WayBack steps={[{ to: '/reports', label: t('Reports') }]} />}>
      <ProblemAlert
        error={error}
        onRetry={onRetry}
        actions={
          isGone(error) && (
            <Suspense>
              <RequestAccess target={{ type: 'report', id }} />
            </Suspense>
          )
        }
      />
    </Page>
  );
}

/** Its workspace, whose name may not be loaded yet. */
function Place({ workspaceId }: { workspaceId: string }) {
  const { data: workspace } = useWorkspace(workspaceId);
  return <WayBack steps={[{ to: `/workspaces/${workspaceId}`, label: workspace?.name ?? '…' }]} />;
}

function useSaved() {
  const { t } = useTranslation();
  return ({ reportName, saveAs }: { reportName: string; saveAs: boolean }): void =>
    notifyDone(
      saveAs
        ? t('Saved as “{{name}}”. It appears here after the next sync.', { name: reportName })
        : t('Changes saved'),
    );
}

function Shown({ report }: { report: Report }) {
  const { data: me } = useMe();
  const [mode, setMode] = useParameter('mode');
  const [pageName, setPage] = useAutomaticParameter('page');
  const [controls, setControls] = useState<ReportControls>();
  const canEdit = report.report_type === 'PowerBIReport' && edits(me, report);
  const isEditing = canEdit && mode === 'edit';
  const activeView = useViewInUrl(report.id, controls);
  const { data_as_of, isOutdated } = useShownAge(report, controls);
  const onSaved = useSaved();
  return (
    <Page
      fill
      title={report.name}
      above={<Place workspaceId={report.workspace_id} />}
      lead={
        <>
          {report.report_type === 'PaginatedReport' && <PaginatedBadge />}
          <Freshness report={{ ...report, data_as_of }} isOutdated={isOutdated} />
        </>
      }
      actions={
        <Toolbar
          report={report}
          controls={controls}
          canEdit={canEdit}
          isEditing={isEditing}
          onMode={setMode}
          activeView={activeView}
        />
      }
    >
      <ReportStage
        report={report}
        access={isEditing ? 'edit' : 'view'}
        pageName={pageName ?? undefined}
        onPage={setPage}
        onSaved={onSaved}
        onControls={setControls}
        isAdmin={isAdmin(me)}
        aside={<ReportCount {...report} />}
      />
      {isEditing && (
        <Suspense>
          <LeaveEditing />
        </Suspense>
      )}
    </Page>
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const report = useReportDto(id);
  if (report.data !== undefined) return <Shown report={report.data} />;
  if (report.error !== null)
    return <NoReport id={id} error={report.error} onRetry={() => void report.refetch()} />;
  return (
    <Page fill title={t('Report')}>
      <LoadingReport />
    </Page>
  );
}
