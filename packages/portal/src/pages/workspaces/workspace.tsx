import { Stack, Tabs } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { RequestAccess } from '../../access/request-access.js';
import { useWorkspace } from '../../api/use-workspace.js';
import { Page } from '../../components/page.js';
import { isGone, QueryView } from '../../components/query-view.js';
import { LoadingRows } from '../../components/states.js';
import { WayBack } from '../../components/way-back.js';
import { manages, useMe } from '../../session/use-session.js';
import { WorkspaceAccess } from './workspace-access.js';
import { WorkspaceReports } from './workspace-reports.js';
import { WorkspaceSettings } from './workspace-settings.js';

const tabs = ['reports', 'access', 'settings'];

/** For managers. The chosen tab is in the URL. */
function WorkspaceTabs({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation();
  const [parameters, setParameters] = useSearchParams();
  const chosen = parameters.get('tab') ?? '';
  const tab = tabs.includes(chosen) ? chosen : 'reports';
  return (
    <Tabs
      value={tab}
      onChange={(value) => setParameters(value === null || value === 'reports' ? {} : { tab: value })}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="reports">{t('Reports')}</Tabs.Tab>
        <Tabs.Tab value="access">{t('Access')}</Tabs.Tab>
        <Tabs.Tab value="settings">{t('Settings')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="reports">
        <WorkspaceReports workspaceId={workspaceId} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <WorkspaceAccess workspaceId={workspaceId} />
      </Tabs.Panel>
      <Tabs.Panel value="settings">
        <Stack>
          <WorkspaceSettings workspaceId={workspaceId} />
        </Stack>
      </Tabs.Panel>
    </Tabs>
  );
}

/** Not before it is known who looks: what is typed into one of the two is not in the other. */
function Content({ workspaceId }: { workspaceId: string }) {
  const me = useMe();
  if (me.isPending) return <LoadingRows />;
  return manages(me.data, workspaceId) ? (
    <WorkspaceTabs workspaceId={workspaceId} />
  ) : (
    <WorkspaceReports workspaceId={workspaceId} />
  );
}

export function Component() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const workspace = useWorkspace(id);
  const count = workspace.data?.report_count;
  return (
    <Page
      title={workspace.data?.name ?? t('Workspace')}
      above={<WayBack steps={[{ to: '/workspaces', label: t('Workspaces') }]} />}
      lead={count !== undefined && t('{{count}} reports', { count })}
    >
      <QueryView
        query={workspace}
        actions={(error) => isGone(error) && <RequestAccess target={{ type: 'workspace', id }} />}
      >
        {() => <Content workspaceId={id} />}
      </QueryView>
    </Page>
  );
}
