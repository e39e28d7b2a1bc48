import { answerOf, type Example, type Json, type Operation } from './definition.js';

export const someDashboard = '69ffaa6c-b36d-4d01-96f5-1ed67c64d4af';
const someTile = '312fbfe9-2eda-44e0-9ed0-ab5dc571bb4b';

/** The apps that an example lists or asks for, all of one workspace. */
export function appsOf({ path }: Operation, example: Example, workspaceId: unknown): Json[] {
  if (!path.includes('/apps')) return [];
  const listed = itemsOf(answerOf(example).body);
  if (/\/apps(\/\{appId\})?$/.test(path)) return listed.map((each) => ({ ...each, workspaceId }));
  const users = path.endsWith('/users') ? listed : [];
  return [{ id: example.parameters.appId, workspaceId, users }];
}

/** The events that an example returns. */
export function activitiesOf(example: Example): unknown[] {
  const { activityEventEntities: events } = (answerOf(example).body ?? {}) as Json;
  return Array.isArray(events) ? events : [];
}

/** Ids in an assignment of workspaces to a capacity. */
export function assignmentOf({ parameters }: Example): { groupId?: string; capacityId?: string } {
  const body = (parameters.requestParameters ?? {}) as {
    capacityMigrationAssignments?: { targetCapacityObjectId: string; workspacesToAssign: string[] }[];
    workspacesToUnassign?: string[];
  };
  const [assignment] = body.capacityMigrationAssignments ?? [];
  const [groupId] = assignment?.workspacesToAssign ?? body.workspacesToUnassign ?? [];
  return { groupId, capacityId: assignment?.targetCapacityObjectId };
}

/** The role in the workspace from which a right on an item follows. */
export function roleFor(user: Json): Json {
  const right = user.reportUserAccessRight ?? user.dashboardUserAccessRight ?? user.datasetUserAccessRight;
  const roles: Record<string, string> = {
    Owner: 'Admin',
    ReadWriteReshareExplore: 'Member',
    ReadWrite: 'Contributor',
    Read: 'Viewer',
  };
  return typeof right === 'string' ? { groupUserAccessRight: roles[right] } : {};
}

/** What an example's dashboards and tiles need, besides what other examples need. */
export function dashboardsOf(operation: Operation, example: Example, datasets: Json[]): Json[] {
  const { path } = operation;
  if (!path.includes('dashboards') && !path.includes('Dashboards')) return [];
  const listed = itemsOf(answerOf(example).body);
  const tiles = path.includes('/tiles');
  const isList = /\/dashboards(\/\{dashboardId\})?$/.test(path) && operation.method === 'GET';
  const given = isList ? listed : [];
  const ids = given.length > 0 ? given : [{}];
  return ids.map((each) => ({
    displayName: 'Some dashboard',
    ...each,
    id: each.id ?? example.parameters.dashboardId ?? someDashboard,
    tiles: tilesOf(operation, example, datasets, tiles ? listed : []),
  }));
}

/** Those that the example lists; otherwise one for each dataset. */
function tilesOf({ path, method }: Operation, example: Example, datasets: Json[], listed: Json[]): Json[] {
  if (method === 'GET' && path.includes('/tiles')) return listed;
  const [first, ...rest] = datasets.map(({ id }) => ({ datasetId: id }));
  return [{ id: example.parameters.tileId ?? someTile, ...first }, ...rest];
}

function itemsOf(body: unknown): Json[] {
  const { value } = (body ?? {}) as { value?: Json[] };
  if (Array.isArray(value)) return value;
  return body && !Array.isArray(body) ? [body as Json] : [];
}
