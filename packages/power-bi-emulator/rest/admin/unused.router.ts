import { Router, type RequestHandler } from 'express';
import { dashboardsOf } from '../../content/dashboards.js';
import type { Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { activityEvents } from './activity-views.js';
import { workspaceOf } from './admin-items.js';
import { authoring } from './admin-groups.router.js';

const unusedAfter = 30 * 24 * 60 * 60_000;
const properties = ['ReportId', 'DatasetId', 'DashboardId'];
const uses = /^(View|GenerateEmbedToken|Export|Download)/;

/** Items of a workspace that no event of the activity log used in the last 30 days. */
export function unusedRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/groups/:group/unused', list(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const now = emulator.clock.now().getTime();
    const used = lastUses(emulator);
    const unused = itemsOf(workspaceOf(emulator, request))
      .map((each) => ({ ...each, used: used.get(each.artifactId.toLowerCase()) }))
      .filter((each) => each.used === undefined || now - each.used > unusedAfter)
      .map(({ used: at, ...each }) => ({
        ...each,
        ...(at !== undefined && { lastAccessedDateTime: new Date(at).toISOString() }),
      }));
    response.json({ unusedArtifactEntities: unused });
  };
}

/** Time of the last use, by id of the item. A report's use is one of its dataset, too. */
function lastUses(emulator: Emulator): Map<string, number> {
  const last = new Map<string, number>();
  for (const { at, event } of activityEvents(emulator)) {
    if (!uses.test(event.Activity)) continue;
    const report = typeof event.ReportId === 'string' && emulator.content.findReport(event.ReportId);
    const ids = [...properties.map((name) => event[name]), report ? report.item.datasetId : undefined];
    for (const id of ids) {
      if (typeof id === 'string') last.set(id.toLowerCase(), Math.max(at, last.get(id.toLowerCase()) ?? 0));
    }
  }
  return last;
}

function itemsOf(workspace: Workspace) {
  return [
    ...workspace.datasets.map(({ id, name, createdDate }) => ({
      artifactId: id,
      displayName: name,
      artifactType: 'Dataset',
      artifactSizeInMB: 1,
      createdDateTime: createdDate,
    })),
    ...workspace.reports.map(({ id, name }) => ({
      artifactId: id,
      displayName: name,
      artifactType: 'Report',
      createdDateTime: authoring.createdDateTime,
    })),
    ...dashboardsOf(workspace).map(({ id, displayName }) => ({
      artifactId: id,
      displayName,
      artifactType: 'Dashboard',
      createdDateTime: authoring.createdDateTime,
    })),
  ];
}
