import { Router, type RequestHandler } from 'express';
import type { Capacity } from '../../content/model.js';
import type { Emulator } from '../../emulator.js';
import { capacityView } from '../capacity-views.js';
import { openCapacity } from '../capacities.router.js';
import { assignToCapacity } from '../capacity-assignment.js';
import { objectsIn } from '../body-fields.js';
import { jsonBody } from '../json-body.js';
import { collection } from '../odata.js';
import { invalidRequest } from '../power-bi-error.js';
import { checkGuid } from '../rights.js';
import { existing, updating } from './admin-items.js';
import { adminUser } from './item-users.js';

const shared = '00000000-0000-0000-0000-000000000000';

/** Every capacity of the tenant, and the assignment of many workspaces. */
export function adminCapacitiesRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/capacities', list(emulator));
  router.post('/capacities/AssignWorkspaces', updating(emulator), assign(emulator));
  router.post('/capacities/UnassignWorkspaces', updating(emulator), unassign(emulator));
  router.patch('/capacities/:capacity', updating(emulator), patch(emulator));
  router.get('/capacities/:capacity/users', listUsers(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (_request, response) => {
    const value = emulator.content.capacities.map(adminView);
    response.json(collection(emulator, 'capacities', value));
  };
}

function adminView(capacity: Capacity): Record<string, unknown> {
  const { tenantKeyId } = capacity;
  return {
    ...capacityView(capacity),
    capacityUserAccessRight: 'Admin',
    ...(tenantKeyId && { tenantKeyId }),
  };
}

function patch(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const capacity = openCapacity(emulator, request);
    const { tenantKeyId } = jsonBody(emulator, request);
    capacity.tenantKeyId = checkGuid(emulator, tenantKeyId, 'tenantKeyId');
    response.end();
  };
}

/** Its administrators, and the service principals, which may assign workspaces. */
function listUsers(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { admins = [] } = openCapacity(emulator, request);
    const users = admins.map((identifier) => ({
      ...adminUser({ identifier, principalType: 'User', groupUserAccessRight: 'None' }),
      capacityUserAccessRight: 'Admin',
    }));
    const apps = emulator.content.principals.map(({ objectId, displayName }) => ({
      ...adminUser({ identifier: objectId, principalType: 'App', groupUserAccessRight: 'None', displayName }),
      capacityUserAccessRight: 'Assign',
    }));
    response.json(collection(emulator, 'users', [...users, ...apps]));
  };
}

function assign(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { capacityMigrationAssignments: assignments } = jsonBody(emulator, request);
    if (!Array.isArray(assignments)) {
      throw invalidRequest('Parameter capacityMigrationAssignments is missing or invalid');
    }
    const read = objectsIn(assignments, 'capacityMigrationAssignments');
    for (const { targetCapacityObjectId, workspacesToAssign } of read) {
      move(emulator, workspacesToAssign, targetCapacityObjectId);
    }
    response.end();
  };
}

/** An example of the definition writes the first letter of the property in upper case. */
function unassign(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { workspacesToUnassign, WorkspacesToUnassign } = jsonBody(emulator, request);
    move(emulator, workspacesToUnassign ?? WorkspacesToUnassign, shared);
    response.end();
  };
}

/** All of the workspaces or none. */
function move(emulator: Emulator, ids: unknown, capacityId: unknown): void {
  if (!Array.isArray(ids)) throw invalidRequest('A list of workspaces is required');
  const workspaces = ids.map((id) =>
    existing(emulator, emulator.content.findWorkspace(checkGuid(emulator, id, 'workspaces'))),
  );
  for (const workspace of workspaces) assignToCapacity(emulator, workspace, capacityId);
}
