import { Router, type Request, type RequestHandler } from 'express';
import { sameId } from '../content/content.js';
import type { Capacity, Workload } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { assignmentStatus } from './capacity-assignment.js';
import { jsonBody } from './json-body.js';
import { everywhere, workspaceAt } from './my-workspace.js';
import { collection, entity } from './odata.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkGuid } from './rights.js';

/** Workloads of a capacity, and the status of a workspace's assignment. */
export function capacitiesRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/capacities/:capacity/Workloads', listWorkloads(emulator));
  router.get('/capacities/:capacity/Workloads/:workload', getWorkload(emulator));
  router.patch('/capacities/:capacity/Workloads/:workload', patchWorkload(emulator));
  router.get(everywhere('/CapacityAssignmentStatus'), status(emulator));
  return router;
}

/** The capacity of the path, if the caller has a right on it. Throws PowerBiError. */
export function openCapacity(emulator: Emulator, request: Request): Capacity {
  const capacity = emulator.content.findCapacity(checkGuid(emulator, request.params.capacity, 'capacityId'));
  if (!capacity || capacity.capacityUserAccessRight === 'None') throw entityNotFound(emulator);
  return capacity;
}

function listWorkloads(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const value = workloadsOf(openCapacity(emulator, request)).map((each) => ({ ...each }));
    response.json(collection(emulator, 'Workloads', value));
  };
}

function getWorkload(emulator: Emulator): RequestHandler {
  return (request, response) => {
    response.json(entity(emulator, 'Workloads', { ...openWorkload(emulator, request) }));
  };
}

function patchWorkload(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workload = openWorkload(emulator, request);
    const { state, maxMemoryPercentageSetByUser: memory } = jsonBody(emulator, request);
    if (state !== 'Enabled' && state !== 'Disabled')
      throw invalidRequest('Parameter state is missing or invalid');
    workload.state = state;
    if (memory !== undefined) workload.maxMemoryPercentageSetByUser = percentage(memory);
    response.end();
  };
}

function openWorkload(emulator: Emulator, request: Request): Workload {
  const name = String(request.params.workload);
  const found = workloadsOf(openCapacity(emulator, request)).find((each) => sameId(each.name, name));
  if (!found) throw entityNotFound(emulator);
  return found;
}

function workloadsOf(capacity: Capacity): Workload[] {
  return (capacity.workloads ??= [
    { name: 'Dataflows', state: 'Enabled', maxMemoryPercentageSetByUser: 20 },
    { name: 'PaginatedReports', state: 'Enabled', maxMemoryPercentageSetByUser: 20 },
  ]);
}

/** An example of the definition writes the number as a text. */
function percentage(value: unknown): number {
  const percent = Number(value);
  if (Number.isInteger(percent) && percent > 0 && percent <= 100) return percent;
  throw invalidRequest('Parameter maxMemoryPercentageSetByUser is invalid');
}

function status(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = workspaceAt(emulator, request, response);
    response.json(entity(emulator, 'capacityAssignmentStatus', assignmentStatus(emulator, workspace)));
  };
}
