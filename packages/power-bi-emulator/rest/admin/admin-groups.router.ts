import { Router, type Request, type RequestHandler } from 'express';
import type { Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { memberView } from '../group-users.router.js';
import { collection, count, entity, selected } from '../odata.js';
import { entityNotFound, invalidRequest } from '../power-bi-error.js';
import { datasetOf, groupOf, optionalGroupFields, reportOf } from '../presenters.js';
import { profileView } from '../profiles.router.js';
import { checkGuid } from '../rights.js';
import { adminDashboards } from './admin-dashboards.router.js';

const mostAtOnce = 5000;

const userFields = [
  'identifier',
  'principalType',
  'groupUserAccessRight',
  'emailAddress',
  'displayName',
  'graphId',
];
/** Fields that not every item has, but `$filter` may name. */
const adminFields = [
  ...optionalGroupFields,
  'description',
  'pipelineId',
  'reports',
  'dashboards',
  'datasets',
  'dataflows',
  'workbooks',
  ...userFields.map((name) => `users/${name}`),
];
const reportFields = ['description', 'datasetId', 'appId', 'originalReportId'];

type Json = Record<string, unknown>;

/** Every workspace of the tenant, regardless of roles, with its content when expanded. */
export function adminGroupsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/groups', listGroups(emulator));
  router.get('/groups/:group', getGroup(emulator));
  router.get('/groups/:group/reports', listGroupReports(emulator));
  router.get('/reports', listReports(emulator));
  router.get('/profiles', listProfiles(emulator));
  return router;
}

function listGroups(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const top = count(request.query.$top, '$top');
    if (!top || top > mostAtOnce) throw invalidRequest(`Parameter $top must be from 1 to ${mostAtOnce}`);
    const { $filter, $skip } = request.query;
    // Users are included for the filter (`users/any(…)`) and returned only when expanded.
    const all = emulator.content.workspaces.map((each) => filterable(emulator, each));
    const value = selected(all, { $filter, $skip, $top: String(top) }, top, adminFields).map(
      ({ workspace }) => adminGroup(emulator, workspace, request.query.$expand),
    );
    const { '@odata.context': context, ...rest } = collection(emulator, 'groups', value);
    const counted = emulator.guess('admin_groups_count') === 'present' && { '@odata.count': all.length };
    response.json({ ...(context !== undefined && { '@odata.context': context }), ...counted, ...rest });
  };
}

function getGroup(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = find(emulator, request);
    response.json(entity(emulator, 'groups', adminGroup(emulator, workspace, request.query.$expand)));
  };
}

function listReports(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const all = emulator.content.workspaces.flatMap((each) => adminReports(emulator, each));
    response.json(collection(emulator, 'reports', selected(all, request.query, Infinity, reportFields)));
  };
}

function listGroupReports(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const reports = adminReports(emulator, find(emulator, request));
    response.json(collection(emulator, 'reports', selected(reports, request.query, Infinity, reportFields)));
  };
}

function listProfiles(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const all = emulator.content.profiles.map((each) => ({
      ...profileView(each),
      servicePrincipalId: each.servicePrincipalId,
    }));
    response.json(collection(emulator, 'profiles', selected(all, request.query, mostAtOnce)));
  };
}

function find(emulator: Emulator, request: Request): Workspace {
  const workspace = emulator.content.findWorkspace(checkGuid(emulator, request.params.group, 'groupId'));
  if (!workspace) throw entityNotFound(emulator);
  return workspace;
}

function filterable(emulator: Emulator, workspace: Workspace): Json & { workspace: Workspace } {
  return { ...adminGroup(emulator, workspace, 'users'), workspace };
}

function adminGroup(emulator: Emulator, workspace: Workspace, expand: unknown): Json {
  return {
    ...groupOf(emulator, workspace),
    id: adminId(emulator, workspace.id),
    ...(workspace.description && { description: workspace.description }),
    type: workspace.type,
    state: workspace.state,
    hasWorkspaceLevelSettings: false,
    ...expanded(emulator, workspace, expand),
  };
}

function expanded(emulator: Emulator, workspace: Workspace, expand: unknown): Json {
  const parts: Record<string, () => Json[]> = {
    users: () => workspace.members.map(memberView),
    reports: () => adminReports(emulator, workspace),
    datasets: () => workspace.datasets.map((each) => datasetOf(emulator, each, 'Admin')),
    dashboards: () => adminDashboards(emulator, workspace),
    dataflows: () => [],
    workbooks: () => [],
  };
  const names = typeof expand === 'string' ? expand.split(',').map((name) => name.trim()) : [];
  const unknown = names.find((name) => !Object.hasOwn(parts, name));
  if (unknown !== undefined) throw invalidRequest(`Could not find a property named '${unknown}'`);
  return Object.fromEntries(names.map((name) => [name, parts[name]!()]));
}

function adminReports(emulator: Emulator, workspace: Workspace): Json[] {
  return workspace.reports.map((report) => ({
    ...reportOf(emulator, workspace, report),
    ...authoring,
    id: adminId(emulator, report.id),
    workspaceId: adminId(emulator, workspace.id),
  }));
}

function adminId(emulator: Emulator, id: string): string {
  return emulator.guess('admin_id_case') === 'upper' ? id.toUpperCase() : id;
}

/** Author and dates of a report, which the user API does not return. */
export const authoring = {
  createdBy: 'dana@vitrine.example',
  modifiedBy: 'dana@vitrine.example',
  createdDateTime: '2026-01-05T08:00:00Z',
  modifiedDateTime: '2026-01-05T08:00:00Z',
};
