import { randomUUID } from 'node:crypto';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { identifierOf, type Principal } from './bearer.js';
import { assignToCapacity } from './capacity-assignment.js';
import { capacityView } from './capacity-views.js';
import { jsonBody } from './json-body.js';
import { everywhere, workspaceAt } from './my-workspace.js';
import { collection, entity } from './odata.js';
import { coded, invalidRequest } from './power-bi-error.js';
import { groupOf } from './presenters.js';
import { checkRight, isVisible, openWorkspace } from './rights.js';

const mostWorkspaces = 1000;

/** Creates workspaces and assigns them to capacities. */
export function workspacesRouter(emulator: Emulator): Router {
  const router = Router();
  router.post('/groups', create(emulator));
  router.patch('/groups/:group', update(emulator));
  router.delete('/groups/:group', remove(emulator));
  router.post(everywhere('/AssignToCapacity'), assign(emulator));
  router.get('/capacities', listCapacities(emulator));
  return router;
}

function create(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const principal = principalOf(response);
    const { name } = jsonBody(emulator, request);
    if (typeof name !== 'string' || name === '') throw invalidRequest('Parameter name is missing or invalid');
    const mine = emulator.content.workspaces.filter((each) => isVisible(emulator, each, principal));
    if (mine.length >= mostWorkspaces) throw tooManyWorkspaces(emulator);
    const workspace = newWorkspace(emulator, principal, name);
    emulator.content.add(workspace);
    response.json(entity(emulator, 'groups', groupOf(emulator, workspace)));
  };
}

function newWorkspace(emulator: Emulator, principal: Principal, name: string): Workspace {
  const now = emulator.clock.now().getTime();
  const profile = emulator.content.profiles.find(({ id }) => id === principal.profile);
  const maker = {
    identifier: identifierOf(principal),
    principalType: principal.upn ? ('User' as const) : ('App' as const),
    groupUserAccessRight: 'Admin' as const,
    since: now,
    ...(profile && { profile: { id: profile.id, displayName: profile.displayName } }),
  };
  return {
    id: randomUUID(),
    name,
    type: 'Workspace',
    state: 'Active',
    members: [maker],
    reports: [],
    datasets: [],
    modified: now,
  };
}

function assign(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const principal = principalOf(response);
    const workspace = workspaceAt(emulator, request, response);
    checkRight(emulator, workspace, principal, emulator.guess('manage_users_right'));
    assignToCapacity(emulator, workspace, jsonBody(emulator, request).capacityId);
    response.end();
  };
}

function update(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = managed(emulator, request, response);
    const { name, defaultDatasetStorageFormat: format } = jsonBody(emulator, request);
    if (name !== undefined && (typeof name !== 'string' || name === '')) {
      throw invalidRequest('Parameter name is missing or invalid');
    }
    if (format !== undefined && format !== 'Small' && format !== 'Large') {
      throw invalidRequest('Parameter defaultDatasetStorageFormat is missing or invalid');
    }
    Object.assign(workspace, {
      ...(name !== undefined && { name }),
      ...(format !== undefined && { defaultDatasetStorageFormat: format }),
      modified: emulator.clock.now().getTime(),
    });
    response.end();
  };
}

/** A deleted workspace stays visible to the admin API. */
function remove(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = managed(emulator, request, response);
    workspace.state = 'Deleted';
    emulator.content.changed(workspace, emulator.clock.now().getTime());
    response.end();
  };
}

function managed(emulator: Emulator, request: Request, response: Response): Workspace {
  const principal = principalOf(response);
  const workspace = openWorkspace(emulator, principal, request.params.group);
  checkRight(emulator, workspace, principal, 'Admin');
  return workspace;
}

function listCapacities(emulator: Emulator): RequestHandler {
  return (_request, response) => {
    const value = emulator.content.capacities.map(capacityView);
    response.json(collection(emulator, 'capacities', value));
  };
}

export function tooManyWorkspaces(emulator: Emulator): Error {
  const message = `A service principal or profile is limited to ${mostWorkspaces} workspaces`;
  return coded(Number(emulator.guess('workspace_limit')), 'InvalidRequest', message);
}
