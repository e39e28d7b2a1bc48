import { demoWorkspaces, type DemoDataset, type DemoReport, type DemoWorkspace } from './demo-catalogue.js';
import { demoCapacities, demoPrincipalAs, demoPrincipals } from './defaults.js';
import { demoActivities, demoApps } from './apps.js';
import { Content } from './content.js';
import { demoDashboards } from './demo-dashboards.js';
import { idOf } from './ids.js';
import type { Dataset, Report, Workspace } from './model.js';

/** The tenant that the emulator starts with and restores on reset. */
export function demoContent(): Content {
  return new Content({
    principals: demoPrincipals(),
    capacities: demoCapacities(),
    profiles: [],
    workspaces: demoWorkspaces.map((each, index) => workspace(each, index + 1)),
    apps: demoApps(),
    activities: demoActivities(),
  });
}

function workspace(demo: DemoWorkspace, number: number): Workspace {
  const datasetIds = new Map(
    demo.datasets.map(({ name }, index) => [name, idOf('dataset', number, index + 1)]),
  );
  return {
    id: idOf('workspace', number),
    name: demo.name,
    description: demo.description,
    type: demo.type ?? 'Workspace',
    state: 'Active',
    ...(demo.shared ? {} : { capacityId: idOf('capacity', 1) }),
    members: [
      ...(demo.principal ? [demoPrincipalAs(demo.principal)] : []),
      { identifier: 'dana@vitrine.example', principalType: 'User', groupUserAccessRight: 'Admin' },
      ...Object.entries(demo.people ?? {}).map(([name, groupUserAccessRight]) => ({
        identifier: `${name}@vitrine.example`,
        principalType: 'User' as const,
        groupUserAccessRight,
      })),
    ],
    datasets: demo.datasets.map((each, index) => dataset(each, idOf('dataset', number, index + 1))),
    reports: demo.reports.map((each, index) =>
      report(each, idOf('report', number, index + 1), datasetIds.get(each.dataset ?? '')),
    ),
    dashboards: demoDashboards(demo, number),
  };
}

function dataset(demo: DemoDataset, id: string): Dataset {
  return {
    id,
    name: demo.name,
    configuredBy: 'dana@vitrine.example',
    createdDate: '2026-01-05T08:00:00Z',
    isEffectiveIdentityRequired: demo.rls !== undefined,
    isEffectiveIdentityRolesRequired: demo.rls === 'roles',
    roles: demo.roles ?? [],
    data: demo.data,
    ...(demo.directQuery && { directQuery: true }),
    ...(demo.refreshes && { refreshes: demo.refreshes }),
  };
}

function report(demo: DemoReport, id: string, datasetId: string | undefined): Report {
  const pages = ['Overview', ...(demo.pages ?? [])];
  return {
    id,
    name: demo.name,
    ...(demo.description && { description: demo.description }),
    reportType: demo.paginated ? 'PaginatedReport' : 'PowerBIReport',
    ...(datasetId && { datasetId }),
    pages: pages.map((displayName, index) => ({ name: `ReportSection${index || ''}`, displayName })),
  };
}
