import { Router, type RequestHandler } from 'express';
import { sameId } from '../../content/content.js';
import type { Workspace } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { isSameMember, readMember } from '../group-users.router.js';
import { jsonBody } from '../json-body.js';
import { collection } from '../odata.js';
import { coded, entityNotFound, invalidRequest } from '../power-bi-error.js';
import { updating, workspaceOf } from './admin-items.js';
import { adminUser } from './item-users.js';

/** Changes to any workspace of the tenant, and its users. */
export function adminWorkspacesRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/groups/:group/users', listUsers(emulator));
  router.post('/groups/:group/users', updating(emulator), addUser(emulator));
  router.delete('/groups/:group/users/:user', updating(emulator), removeUser(emulator));
  router.patch('/groups/:group', updating(emulator), update(emulator));
  router.post('/groups/:group/restore', updating(emulator), restore(emulator));
  return router;
}

function listUsers(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const users = workspaceOf(emulator, request).members.map((each) => ({
      ...adminUser(each),
      groupUserAccessRight: each.groupUserAccessRight,
    }));
    response.json(collection(emulator, 'users', users));
  };
}

function addUser(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceOf(emulator, request);
    const member = readMember(emulator, jsonBody(emulator, request));
    const others = workspace.members.filter(
      (each) => !isSameMember(each, member.identifier, member.profile?.id),
    );
    workspace.members = [...others, member];
    touch(emulator, workspace);
    response.end();
  };
}

function removeUser(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceOf(emulator, request);
    const { profileId } = request.query;
    const user = String(request.params.user);
    const left = workspace.members.filter((each) => !isSameMember(each, user, profileId));
    if (left.length === workspace.members.length) throw entityNotFound(emulator);
    workspace.members = left;
    touch(emulator, workspace);
    response.end();
  };
}

const always = ['name', 'description'];
const onCapacity = ['defaultDatasetStorageFormat', 'logAnalyticsWorkspace'];

function update(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceOf(emulator, request);
    const body = jsonBody(emulator, request);
    const allowed = workspace.capacityId === undefined ? always : [...always, ...onCapacity];
    const refused = Object.keys(body).find((name) => name !== 'id' && !allowed.includes(name));
    if (refused) throw invalidRequest(`The property ${refused} of this workspace cannot be updated`);
    checkName(emulator, workspace, body.name);
    const { logAnalyticsWorkspace, ...rest } = body;
    Object.assign(workspace, rest, { id: workspace.id });
    if (logAnalyticsWorkspace === null) delete workspace.logAnalyticsWorkspace;
    else if (logAnalyticsWorkspace !== undefined) Object.assign(workspace, { logAnalyticsWorkspace });
    touch(emulator, workspace);
    response.end();
  };
}

function checkName(emulator: Emulator, workspace: Workspace, name: unknown): void {
  if (name === undefined) return;
  if (typeof name !== 'string' || name === '') throw invalidRequest('Parameter name is missing or invalid');
  const isTaken = emulator.content.workspaces.some((each) => each !== workspace && sameId(each.name, name));
  if (!isTaken) return;
  throw coded(Number(emulator.guess('admin_update_name')), 'InvalidRequest', `The name ${name} is in use`);
}

/** Makes a deleted workspace active again, with one user as its admin. */
function restore(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceOf(emulator, request);
    const { name, emailAddress } = jsonBody(emulator, request);
    if (typeof emailAddress !== 'string' || emailAddress === '') {
      throw invalidRequest('Parameter emailAddress is missing or invalid');
    }
    if (workspace.state !== 'Deleted') throw invalidRequest('The workspace is not deleted');
    workspace.state = 'Active';
    if (typeof name === 'string' && name !== '') workspace.name = name;
    const others = workspace.members.filter((each) => !isSameMember(each, emailAddress, undefined));
    const admin = { principalType: 'User', groupUserAccessRight: 'Admin', emailAddress } as const;
    workspace.members = [...others, { identifier: emailAddress, ...admin }];
    touch(emulator, workspace);
    response.end();
  };
}

function touch(emulator: Emulator, workspace: Workspace): void {
  workspace.modified = emulator.clock.now().getTime();
}
