import { demoCapacities, demoPrincipalAs, demoPrincipals } from './defaults.js';
import { Content } from './content.js';
import { idOf } from './ids.js';
import type { Dataset, Report, Workspace } from './model.js';

const reportsPerDataset = 10;

/** A tenant of any size: every workspace is on a capacity and accessible to the demo principal. */
export function generatedContent(size: { workspaces: number; reports_per_workspace: number }): Content {
  const workspaces = listed(size.workspaces, (number) => workspace(number, size.reports_per_workspace));
  return new Content({
    principals: demoPrincipals(),
    capacities: demoCapacities(),
    profiles: [],
    workspaces,
  });
}

/** Reports and datasets are generated on first access. */
function workspace(number: number, reportCount: number): Workspace {
  let reports: Report[] | undefined;
  let datasets: Dataset[] | undefined;
  return {
    id: idOf('workspace', number),
    name: `Workspace ${String(number).padStart(5, '0')}`,
    type: 'Workspace',
    state: 'Active',
    capacityId: idOf('capacity', 1),
    members: [demoPrincipalAs('Admin')],
    get reports() {
      return (reports ??= listed(reportCount, (index) => report(number, index)));
    },
    get datasets() {
      const count = Math.ceil(reportCount / reportsPerDataset);
      return (datasets ??= listed(count, (index) => dataset(number, index)));
    },
  };
}

function listed<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

function report(workspaceNumber: number, number: number): Report {
  return {
    id: idOf('report', workspaceNumber, number),
    name: `Report ${String(workspaceNumber).padStart(5, '0')}-${String(number).padStart(5, '0')}`,
    reportType: 'PowerBIReport',
    datasetId: idOf('dataset', workspaceNumber, Math.ceil(number / reportsPerDataset)),
    pages: [{ name: 'ReportSection', displayName: 'Overview' }],
  };
}

function dataset(workspaceNumber: number, number: number): Dataset {
  return {
    id: idOf('dataset', workspaceNumber, number),
    name: `Dataset ${String(workspaceNumber).padStart(5, '0')}-${String(number).padStart(5, '0')}`,
    configuredBy: 'dana@vitrine.example',
    createdDate: '2026-01-05T08:00:00Z',
    isEffectiveIdentityRequired: false,
    isEffectiveIdentityRolesRequired: false,
    roles: [],
    data: 'sales',
  };
}
