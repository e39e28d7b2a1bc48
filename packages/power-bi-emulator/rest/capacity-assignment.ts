import { randomUUID } from 'node:crypto';
import type { Workspace } from '../content/model.js';
import { newJob, phaseOf, type Phase } from '../core/jobs.js';
import type { Emulator } from '../emulator.js';
import { entityNotFound } from './power-bi-error.js';
import { checkGuid } from './rights.js';

const none = '00000000-0000-0000-0000-000000000000';

const statuses: Record<Phase, string> = {
  NotStarted: 'Pending',
  Running: 'InProgress',
  Done: 'CompletedSuccessfully',
  Failed: 'AssignmentFailed',
  Cancelled: 'AssignmentFailed',
};

/** Assigns a workspace to a capacity, or with an empty GUID to shared capacity. Throws PowerBiError. */
export function assignToCapacity(emulator: Emulator, workspace: Workspace, capacityId: unknown): void {
  const id = checkGuid(emulator, capacityId, 'capacityId');
  const capacity = emulator.content.findCapacity(id);
  if (!capacity && id !== none) throw entityNotFound(emulator);
  if (capacity) workspace.capacityId = capacity.id;
  else delete workspace.capacityId;
  workspace.modified = emulator.clock.now().getTime();
  workspace.assignment = newJob(emulator, randomUUID());
}

/** The last assignment, which takes `job_seconds`; without one, the capacity that the workspace always had. */
export function assignmentStatus(emulator: Emulator, workspace: Workspace): Record<string, unknown> {
  const { assignment, capacityId = none } = workspace;
  if (!assignment) return { status: 'CompletedSuccessfully', capacityId };
  const phase = phaseOf(assignment, emulator.clock.now().getTime());
  const isOver = phase === 'Done' || phase === 'Failed';
  return {
    status: statuses[phase],
    activityId: assignment.id,
    startTime: new Date(assignment.started).toISOString(),
    ...(isOver && { endTime: new Date(assignment.ends).toISOString() }),
    capacityId,
  };
}
