import { Tabs } from '@mantine/core';
import { useParams, useSearchParams } from 'react-router';
import { useWorkspace } from '../../api/use-workspace.js';
import { Page } from '../../components/page.js';
import { QueryView } from '../../components/query-view.js';
import { LoadingRows } from '../../components/states.js';
import { WayBack } from '../../components/way-back.js';
import { manages, useMe } from '../../session/use-session.js';
import { WorkspaceAccess } from './workspace-access.js';
import { WorkspaceReports } from './workspace-reports.js';

/** For managers. The chosen tab is in the URL. */
function WorkspaceTabs({ workspaceId }: { workspaceId: string }) {
  const [parameters, setParameters] = useSearchParams();
  const tab = parameters.get('tab') === 'access' ? 'access' : 'reports';
  return (
    <Tabs
      value={tab}
      onChange={(value) => setParameters(value === 'access' ? { tab: 'access' } : {})}
      keepMounted={false}
    >
      <Tabs.List mb="lg">
        <Tabs.Tab value="reports">Reports</Tabs.Tab>
        <Tabs.Tab value="access">Access</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="reports">
        <WorkspaceReports workspaceId={workspaceId} />
      </Tabs.Panel>
      <Tabs.Panel value="access">
        <WorkspaceAccess workspaceId={workspaceId} />
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
  const { id = '' } = useParams();
  const workspace = useWorkspace(id);
  const count = workspace.data?.report_count;
  return (
    <Page
      title={workspace.data?.name ?? 'Workspace'}
      above={<WayBack steps={[{ to: '/workspaces', label: 'Workspaces' }]} />}
      lead={count !== undefined && `${count} ${count === 1 ? 'report' : 'reports'}`}
    >
      <QueryView query={workspace}>{() => <Content workspaceId={id} />}</QueryView>
    </Page>
  );
}
