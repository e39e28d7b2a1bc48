import { Button, Tabs } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useParams } from 'react-router';
import { ShareDialog } from '../../access/share-dialog.js';
import { TargetGrants } from '../../access/target-grants.js';
import { useWorkspace } from '../../api/use-workspace.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { Empty, LoadingRows } from '../../components/states.js';
import { useParameter } from '../../components/use-parameter.js';
import { WayBack } from '../../components/way-back.js';
import { manages, useMe } from '../../session/use-session.js';
import Refused from '../../shell/refused.js';
import type { Report } from './report-rows.js';
import { ReportViewers } from './report-viewers.js';
import { useReportDto } from '../../api/use-report-dto.js';

/** The grants on this report only; those on its workspace are on the workspace's page. */
function ReportGrants({ report }: { report: Report }) {
  const { t } = useTranslation();
  const [isSharing, setIsSharing] = useState(false);
  const target = { type: 'report', id: report.id } as const;
  return (
    <>
      <TargetGrants
        target={target}
        targetName={report.name}
        empty={
          <Empty title={t('This report is not shared')}>
            {t('Only members of its workspace and administrators can see it.')}
          </Empty>
        }
        actions={<Button onClick={() => setIsSharing(true)}>{t('Share')}</Button>}
      />
      {isSharing && (
        <ShareDialog
          title={t('Share {{name}}', { name: report.name })}
          target={target}
          workspaceId={report.workspace_id}
          onClose={() => setIsSharing(false)}
        />
      )}
    </>
  );
}

function Parts({ report }: { report: Report }) {
  const { t } = useTranslation();
  const [tab, setTab] = useParameter('tab');
  return (
    <Tabs
      value={tab === 'grants' ? 'grants' : 'viewers'}
      onChange={(value) => setTab(value === 'grants' ? value : null)}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="viewers">{t('Who can see this')}</Tabs.Tab>
        <Tabs.Tab value="grants">{t('Shared with')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="viewers">
        <ReportViewers report={report} />
      </Tabs.Panel>
      <Tabs.Panel value="grants">
        <ReportGrants report={report} />
      </Tabs.Panel>
    </Tabs>
  );
}

function Place({ report }: { report: Report | undefined }) {
  const { t } = useTranslation();
  const workspaceId = report?.workspace_id ?? '';
  const { data: workspace } = useWorkspace(workspaceId, report !== undefined);
  const steps = [{ to: '/workspaces', label: t('Workspaces') }];
  if (report !== undefined) {
    steps.push({ to: `/workspaces/${workspaceId}`, label: workspace?.name ?? '…' });
    steps.push({ to: `/reports/${report.id}`, label: report.name });
  }
  return <WayBack steps={steps} />;
}

/** Who can see a report and why, for the managers of its workspace. */
export function Component() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const report = useReportDto(id);
  const { data: me } = useMe();
  const isManager = report.data !== undefined && manages(me, report.data.workspace_id);
  if (report.data !== undefined && me !== undefined && !isManager) return <Refused isFor="managers" />;
  return (
    <Page
      title={report.data === undefined ? t('Access') : t('Access to {{name}}', { name: report.data.name })}
      above={<Place report={report.data} />}
      actions={
        isManager && (
          <Button component={Link} variant="default" to={`/access-review?report=${id}`}>
            {t('Review access')}
          </Button>
        )
      }
    >
      <QueryView query={report}>
        {(found) => (isManager ? <Parts report={found} /> : <LoadingRows />)}
      </QueryView>
    </Page>
  );
}
