import { Router, type Request, type RequestHandler } from 'express';
import { sameId } from '../../content/content.js';
import type { Dataset, Workspace } from '../../content/model.js';
import { refreshesOf } from '../../core/jobs.js';
import { principalOf } from '../../core/locals.js';
import type { Emulator } from '../../emulator.js';
import type { Principal } from '../bearer.js';
import { openCapacity } from '../capacities.router.js';
import { capacityView } from '../capacity-views.js';
import { collection, count, selected } from '../odata.js';
import { entityNotFound, invalidRequest } from '../power-bi-error.js';
import { historyOf } from '../refresh-views.js';
import { checkGuid, isVisible } from '../rights.js';

/** Power BI keeps seven days of refreshes. */
const HISTORY_DAYS = 7;

type Json = Record<string, unknown>;

/** Datasets on a capacity that were refreshed, each with its last refresh: of the tenant, or of the caller's workspaces. */
export function refreshablesRouter(emulator: Emulator, { ofTenant = false } = {}): Router {
  const router = Router();
  const list = listing(emulator, ofTenant);
  router.get('/capacities/refreshables', list);
  router.get('/capacities/:capacity/refreshables', list);
  router.get('/capacities/:capacity/refreshables/:refreshable', getting(emulator, ofTenant));
  return router;
}

function listing(emulator: Emulator, ofTenant: boolean): RequestHandler {
  return (request, response) => {
    if (!count(request.query.$top, '$top')) throw invalidRequest('Parameter $top is missing or invalid');
    const all = refreshables(emulator, request, ofTenant ? undefined : principalOf(response));
    response.json(collection(emulator, 'refreshables', selected(all, request.query)));
  };
}

function getting(emulator: Emulator, ofTenant: boolean): RequestHandler {
  return (request, response) => {
    const id = checkGuid(emulator, request.params.refreshable, 'refreshableId');
    const all = refreshables(emulator, request, ofTenant ? undefined : principalOf(response));
    const found = all.filter((each) => sameId(String(each.id), id));
    if (found.length === 0) throw entityNotFound(emulator);
    response.json(collection(emulator, 'refreshables', found));
  };
}

function refreshables(emulator: Emulator, request: Request, principal: Principal | undefined): Json[] {
  const capacity = request.params.capacity === undefined ? undefined : openCapacity(emulator, request);
  const { $expand } = request.query;
  const expand = typeof $expand === 'string' ? $expand.split(',').map((name) => name.trim()) : [];
  return emulator.content.workspaces
    .filter(({ capacityId }) => capacityId !== undefined && (!capacity || sameId(capacityId, capacity.id)))
    .filter((each) => principal === undefined || isVisible(emulator, each, principal))
    .flatMap((workspace) =>
      workspace.datasets.flatMap((each) => refreshable(emulator, workspace, each, expand)),
    );
}

function refreshable(emulator: Emulator, workspace: Workspace, dataset: Dataset, expand: string[]): Json[] {
  const history = refreshesOf(emulator, dataset).map((each) => historyOf(emulator, each));
  const last = history.at(0);
  if (last === undefined) return [];
  return [
    {
      id: dataset.id,
      name: dataset.name,
      kind: 'Dataset',
      startTime: history.at(-1)?.startTime,
      endTime: last.endTime ?? last.startTime,
      refreshCount: history.length,
      refreshFailures: history.filter(({ status }) => status === 'Failed').length,
      ...durations(history),
      lastRefresh: last,
      configuredBy: [dataset.configuredBy],
      ...expanded(emulator, workspace, expand),
    },
  ];
}

/** In seconds, of the refreshes that ended. */
function durations(history: Json[]): Json {
  const seconds = history
    .filter(({ endTime }) => endTime !== undefined)
    .map(({ startTime, endTime }) => (Date.parse(String(endTime)) - Date.parse(String(startTime))) / 1000)
    .toSorted((one, other) => one - other);
  const total = seconds.reduce((sum, each) => sum + each, 0);
  return {
    averageDuration: seconds.length === 0 ? 0 : total / seconds.length,
    medianDuration: seconds[Math.floor(seconds.length / 2)] ?? 0,
    refreshesPerDay: Math.ceil(history.length / HISTORY_DAYS),
  };
}

function expanded(emulator: Emulator, { id, name, capacityId }: Workspace, expand: string[]): Json {
  const capacity = emulator.content.findCapacity(capacityId);
  return {
    ...(expand.some((each) => /^capacit(y|ies)$/.test(each)) &&
      capacity && { capacity: capacityView(capacity) }),
    ...(expand.some((each) => /^groups?$/.test(each)) && { group: { id, name } }),
  };
}
