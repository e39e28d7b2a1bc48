import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler } from 'express';
import type { Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { jsonBody } from './json-body.js';
import { collection, entity } from './odata.js';
import { coded, entityNotFound, invalidRequest } from './power-bi-error.js';
import { groupOf } from './presenters.js';
import { checkGuid, checkRight, isVisible, openWorkspace } from './rights.js';

const mostWorkspaces = 1000;

/** Creates workspaces and assigns them to capacities. */
export function workspacesRouter(emulator: Emulator): Router {
  const router = Router();
  router.post('/groups', create(emulator));
  router.post('/groups/:group/AssignToCapacity', assign(emulator));
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
    identifier: principal.objectId,
    principalType: 'App' as const,
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
    const workspace = openWorkspace(emulator, principal, request.params.group);
    checkRight(emulator, workspace, principal, emulator.guess('manage_users_right'));
    const capacity = emulator.content.findCapacity(
      checkGuid(emulator, jsonBody(emulator, request).capacityId, 'capacityId'),
    );
    if (!capacity) throw entityNotFound(emulator);
    Object.assign(workspace, { capacityId: capacity.id, modified: emulator.clock.now().getTime() });
    response.end();
  };
}

function listCapacities(emulator: Emulator): RequestHandler {
  return (_request, response) => {
    const value = emulator.content.capacities.map((each) => ({
      ...each,
      admins: [],
      capacityUserAccessRight: 'Assign',
    }));
    response.json(collection(emulator, 'capacities', value));
  };
}

export function tooManyWorkspaces(emulator: Emulator): Error {
  const message = `A service principal or profile is limited to ${mostWorkspaces} workspaces`;
  return coded(Number(emulator.guess('workspace_limit')), 'InvalidRequest', message);
}
