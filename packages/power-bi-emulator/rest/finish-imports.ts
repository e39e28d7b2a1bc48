import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Dataset, Report, Workspace } from '../content/model.js';
import type { ImportJob } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';

/** Publishes the content of imports that have ended, before a request can look for it. */
export function finishImports(emulator: Emulator): RequestHandler {
  return (_request, _response, next) => {
    const now = emulator.clock.now().getTime();
    for (const job of emulator.jobs.imports.values()) {
      if (job.result === undefined && !job.fails && now >= job.ends) job.result = publish(emulator, job);
    }
    next();
  };
}

function publish(emulator: Emulator, job: ImportJob): NonNullable<ImportJob['result']> {
  const workspace = emulator.content.findWorkspace(job.workspaceId);
  if (!workspace) return {};
  const dataset = job.file === 'pbix' ? put(workspace.datasets, newDataset(emulator, job)) : undefined;
  const report = job.skipReport ? undefined : put(workspace.reports, newReport(job, dataset?.id));
  emulator.content.changed(workspace, job.ends);
  return { ...(report && { reportId: report.id }), ...(dataset && { datasetId: dataset.id }) };
}

/** An item replaces the one of its id. */
function put<T extends Dataset | Report>(items: Workspace['datasets'] | Workspace['reports'], item: T): T {
  const list = items as T[];
  const at = list.findIndex(({ id }) => id === item.id);
  list.splice(at < 0 ? list.length : at, 1, item);
  return item;
}

function newDataset(emulator: Emulator, { name, workspaceId, replaces }: ImportJob): Dataset {
  return {
    id: replaces?.datasetId ?? randomUUID(),
    name,
    configuredBy: emulator.content.findWorkspace(workspaceId)?.members[0]?.identifier ?? '',
    createdDate: emulator.clock.now().toISOString(),
    isEffectiveIdentityRequired: false,
    isEffectiveIdentityRolesRequired: false,
    roles: [],
    data: 'sales',
  };
}

function newReport({ name, file, replaces }: ImportJob, datasetId: string | undefined): Report {
  return {
    id: replaces?.reportId ?? randomUUID(),
    name,
    reportType: file === 'rdl' ? 'PaginatedReport' : 'PowerBIReport',
    ...(datasetId !== undefined && { datasetId }),
    pages: [{ name: 'ReportSection', displayName: 'Page 1' }],
  };
}
