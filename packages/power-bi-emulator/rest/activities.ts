import type { Request, RequestHandler, Response } from 'express';
import { bodyOf } from '../core/body.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';

/** Calls that are an event of the activity log: method and path, and Microsoft's name of the event. */
const recorded: [string, RegExp, string][] = [
  ['POST', /\/GenerateToken$/i, 'GenerateEmbedToken'],
  ['POST', /\/reports\/[^/]+\/ExportTo$/i, 'ExportReport'],
  ['GET', /\/reports\/[^/]+\/Export$/i, 'DownloadReport'],
  ['POST', /\/reports\/[^/]+\/Clone$/i, 'CopyReport'],
  ['DELETE', /\/reports\/[^/]+$/i, 'DeleteReport'],
  ['POST', /\/datasets\/[^/]+\/refreshes$/i, 'RefreshDataset'],
  ['POST', /\/datasets\/[^/]+\/Default\.TakeOver$/i, 'TakeOverDataset'],
  ['DELETE', /\/datasets\/[^/]+$/i, 'DeleteDataset'],
  ['POST', /\/dashboards$/i, 'CreateDashboard'],
  ['DELETE', /\/dashboards\/[^/]+$/i, 'DeleteDashboard'],
  ['POST', /\/imports$/i, 'Import'],
  ['POST', /^\/groups$/i, 'CreateGroup'],
  ['DELETE', /^\/groups\/[^/]+$/i, 'DeleteGroup'],
  ['POST', /^\/(admin\/)?groups\/[^/]+\/users$/i, 'UpdateWorkspaceAccess'],
  ['PUT', /^\/groups\/[^/]+\/users$/i, 'UpdateWorkspaceAccess'],
  ['DELETE', /^\/(admin\/)?groups\/[^/]+\/users\/[^/]+$/i, 'UpdateWorkspaceAccess'],
  ['POST', /^\/groups\/[^/]+\/AssignToCapacity$/i, 'MigrateWorkspaceIntoCapacity'],
  ['GET', /^\/admin\/activityevents$/i, 'ExportActivityEvents'],
];

/** Records the successful calls that Power BI records, too. */
export function recordActivities(emulator: Emulator): RequestHandler {
  return (request, response, next) => {
    const { method, path } = request;
    const event = recorded.find(([each, pattern]) => each === method && pattern.test(path));
    if (event) watch(emulator, request, response, event[2]);
    next();
  };
}

function watch(emulator: Emulator, request: Request, response: Response, activity: string): void {
  const { clientId, objectId, upn } = principalOf(response);
  const ids = { ...idsIn(request.path), ...onlyReport(request) };
  let embedTokenId: string | undefined;
  const json = response.json.bind(response);
  response.json = (body: { tokenId?: string }) => {
    embedTokenId = body?.tokenId;
    return json(body);
  };
  response.on('finish', () => {
    if (response.statusCode >= 300) return;
    const requestId = String(response.get('RequestId'));
    const token = embedTokenId !== undefined && { embedTokenId };
    const caller = { clientId, objectId, ...given('upn', upn) };
    emulator.activities.record({ activity, ...caller, requestId, ...ids, ...token });
  });
}

function idsIn(path: string) {
  const id = (kind: string) => new RegExp(`/${kind}/([0-9a-f-]{36})`, 'i').exec(path)?.[1];
  return {
    ...given('workspaceId', id('groups')),
    ...given('reportId', id('reports')),
    ...given('datasetId', id('datasets')),
    ...given('dashboardId', id('dashboards')),
  };
}

/** The report of a V2 token request that names one. */
function onlyReport(request: Request) {
  const { reports } = (bodyOf(request) ?? {}) as { reports?: { id?: string }[] };
  return given('reportId', Array.isArray(reports) && reports.length === 1 ? reports[0]?.id : undefined);
}

function given<Name extends string>(name: Name, value: string | undefined) {
  return (value === undefined ? {} : { [name]: value }) as { [name in Name]?: string };
}
