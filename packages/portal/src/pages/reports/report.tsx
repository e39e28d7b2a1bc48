import { Button, Group, Text } from '@mantine/core';
import { IconExternalLink, IconEye, IconPencil } from '@tabler/icons-react';
import { useParams } from 'react-router';
import { useWorkspace } from '../../api/use-workspace.js';
import { notifyDone } from '../../components/notify.js';
import { Page } from '../../components/page.js';
import { LoadingReport } from '../../embedding/covers.js';
import { ReportStage } from '../../embedding/report-stage.js';
import { ProblemAlert } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { Time } from '../../components/time.js';
import { WayBack } from '../../components/way-back.js';
import { edits, isAdmin, manages, useMe } from '../../session/use-session.js';
import { ReportCount } from '../analytics/report-count.js';
import { LeaveEditing } from './leave-editing.js';
import { PaginatedBadge, type Report } from './report-rows.js';
import { ShareReport } from './share-report.js';
import { useReportDto } from '../../api/use-report-dto.js';

const NoReport = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <Page title="Report" above={<WayBack steps={[{ to: '/reports', label: 'Reports' }]} />}>
    <ProblemAlert error={error} onRetry={onRetry} />
  </Page>
);

const Lead = ({ report: { id, description, updated_at, report_type } }: { report: Report }) => (
  <Group gap="xs">
    {report_type === 'PaginatedReport' && <PaginatedBadge />}
    {description !== null && <Text size="sm">{description}</Text>}
    <Group gap="md" wrap="nowrap" miw={0}>
      <Text size="sm" span style={{ whiteSpace: 'nowrap' }}>
        Updated <Time at={updated_at} />
      </Text>
      <ReportCount id={id} />
    </Group>
  </Group>
);

/** Where it lies: its workspace, whose name is on its way. */
function Place({ workspaceId }: { workspaceId: string }) {
  const { data: workspace } = useWorkspace(workspaceId);
  const steps = [
    { to: '/workspaces', label: 'Workspaces' },
    { to: `/workspaces/${workspaceId}`, label: workspace?.name ?? '…' },
  ];
  return <WayBack steps={steps} />;
}

const OpenInPowerBi = ({ address }: { address: string }) => (
  <Button
    component="a"
    href={address}
    target="_blank"
    rel="noreferrer"
    variant="default"
    size="sm"
    rightSection={<IconExternalLink size={16} aria-hidden />}
  >
    Open in Power BI
  </Button>
);

function saved({ reportName, saveAs }: { reportName: string; saveAs: boolean }): void {
  notifyDone(saveAs ? `Saved as “${reportName}”. It is listed here after the next sync.` : 'Saved.');
}

function Shown({ report }: { report: Report }) {
  const { data: me } = useMe();
  const [mode, setMode] = useParameter('mode');
  const [pageName, setPage] = useParameter('page');
  const canEdit = report.report_type === 'PowerBIReport' && edits(me, report);
  const isEditing = canEdit && mode === 'edit';
  return (
    <Page
      fill
      title={report.name}
      above={<Place workspaceId={report.workspace_id} />}
      lead={<Lead report={report} />}
      actions={
        <>
          {canEdit && (
            <Button
              visibleFrom="sm"
              size="sm"
              variant={isEditing ? 'filled' : 'default'}
              leftSection={
                isEditing ? <IconEye size={16} aria-hidden /> : <IconPencil size={16} aria-hidden />
              }
              onClick={() => setMode(isEditing ? null : 'edit')}
            >
              {isEditing ? 'Stop editing' : 'Edit'}
            </Button>
          )}
          {manages(me, report.workspace_id) && <ShareReport report={report} />}
          {isAdmin(me) && report.web_url !== null && <OpenInPowerBi address={report.web_url} />}
        </>
      }
    >
      <ReportStage
        report={report}
        access={isEditing ? 'edit' : 'view'}
        pageName={pageName ?? undefined}
        onPage={setPage}
        onSaved={saved}
        isAdmin={isAdmin(me)}
      />
      {isEditing && <LeaveEditing />}
    </Page>
  );
}

export function Component() {
  const { id = '' } = useParams();
  const report = useReportDto(id);
  if (report.data !== undefined) return <Shown key={id} report={report.data} />;
  if (report.error !== null) return <NoReport error={report.error} onRetry={() => void report.refetch()} />;
  return (
    <Page fill title="Report">
      <LoadingReport />
    </Page>
  );
}
