import { Content } from './content.js';
import { demoCapacities, demoPrincipalAs, demoPrincipals } from './defaults.js';
import { appsFrom, type LooseApp } from './apps.js';
import { dashboardsFrom, type LooseDashboard } from './dashboards.js';
import { idOf } from './ids.js';
import type { Dataset, Report, Seed, Workspace } from './model.js';

/** A seed with optional fields: missing ids and names are derived from the position. */
export type LooseSeed = Omit<Seed, 'workspaces' | 'apps'> & {
  workspaces: LooseWorkspace[];
  apps?: LooseApp[];
};

type LooseWorkspace = Partial<Omit<Workspace, 'reports' | 'datasets' | 'dashboards'>> & {
  reports?: Partial<Report>[];
  datasets?: Partial<Dataset>[];
  dashboards?: LooseDashboard[];
};

export function seededContent(seed: LooseSeed): Content {
  return new Content({
    principals: seed.principals ?? demoPrincipals(),
    capacities: seed.capacities ?? demoCapacities(),
    profiles: seed.profiles ?? [],
    workspaces: seed.workspaces.map((each, index) => workspace(each, index + 1)),
    apps: appsFrom(seed.apps ?? []),
    activities: seed.activities ?? [],
  });
}

function workspace(loose: LooseWorkspace, number: number): Workspace {
  return {
    id: idOf('workspace', number),
    name: `Workspace ${number}`,
    type: 'Workspace',
    state: 'Active',
    members: [demoPrincipalAs('Admin')],
    ...loose,
    reports: (loose.reports ?? []).map((each, index) => report(each, number, index + 1)),
    datasets: (loose.datasets ?? []).map((each, index) => dataset(each, number, index + 1)),
    dashboards: dashboardsFrom(loose.dashboards ?? [], number),
  };
}

function report(loose: Partial<Report>, workspaceNumber: number, number: number): Report {
  return {
    id: idOf('report', workspaceNumber, number),
    name: `Report ${number}`,
    reportType: 'PowerBIReport',
    pages: [{ name: 'ReportSection', displayName: 'Overview' }],
    ...loose,
  };
}

function dataset(loose: Partial<Dataset>, workspaceNumber: number, number: number): Dataset {
  return {
    id: idOf('dataset', workspaceNumber, number),
    name: `Dataset ${number}`,
    configuredBy: 'dana@vitrine.example',
    createdDate: '2026-01-05T08:00:00Z',
    isEffectiveIdentityRequired: false,
    isEffectiveIdentityRolesRequired: false,
    roles: [],
    ...loose,
  };
}
