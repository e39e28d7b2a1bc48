import { sameId } from '../content/content.js';
import type { AccessRight, Dataset, Member, Report, Workspace } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import {
  entityNotFound,
  headerOnly,
  invalidRequest,
  notAuthorized,
  type PowerBiError,
} from './power-bi-error.js';

const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export function checkGuid(emulator: Emulator, value: unknown, name: string): string {
  if (typeof value === 'string' && guid.test(value)) return value;
  if (emulator.guess('invalid_id') === '404') throw entityNotFound(emulator);
  throw invalidRequest(`Parameter ${name} is missing or invalid`);
}

export function rightIn(emulator: Emulator, workspace: Workspace, principal: Principal): AccessRight {
  const member = workspace.members.find(
    (each) => isMember(each, principal) && emulator.propagation.isOver(each, principal),
  );
  return member?.groupUserAccessRight ?? 'None';
}

/** A profile has its own roles and none of its service principal's. A user is a member by name or object id. */
function isMember(member: Member, { objectId, upn, profile }: Principal): boolean {
  if (upn && sameId(member.identifier, upn)) return member.principalType === 'User';
  if (!sameId(member.identifier, objectId)) return false;
  return profile ? sameId(member.profile?.id, profile) : !member.profile;
}

const order: AccessRight[] = ['None', 'Viewer', 'Contributor', 'Member', 'Admin'];

/** Throws PowerBiError when the caller's role is lower than `least`. */
export function checkRight(
  emulator: Emulator,
  workspace: Workspace,
  principal: Principal,
  least: AccessRight,
): void {
  if (order.indexOf(rightIn(emulator, workspace, principal)) < order.indexOf(least)) throw notAuthorized();
}

export function isVisible(emulator: Emulator, workspace: Workspace, principal: Principal): boolean {
  if (workspace.type !== 'Workspace' || workspace.state !== 'Active') return false;
  return rightIn(emulator, workspace, principal) !== 'None';
}

/** Returns the workspace when the caller has any role in it. Throws PowerBiError. */
export function openWorkspace(emulator: Emulator, principal: Principal, id: unknown): Workspace {
  const workspace = emulator.content.findWorkspace(checkGuid(emulator, id, 'groupId'));
  if (!workspace || workspace.state !== 'Active') throw entityNotFound(emulator);
  if (workspace.type === 'PersonalGroup') throw personal(emulator);
  if (!isVisible(emulator, workspace, principal)) throw noRole(emulator);
  return workspace;
}

export function openReport(emulator: Emulator, workspace: Workspace, id: unknown): Report {
  const report = workspace.reports.find((each) => sameId(each.id, checkGuid(emulator, id, 'reportId')));
  if (!report) throw entityNotFound(emulator);
  return report;
}

export function openDataset(emulator: Emulator, workspace: Workspace, id: unknown): Dataset {
  const dataset = workspace.datasets.find((each) => sameId(each.id, checkGuid(emulator, id, 'datasetId')));
  if (!dataset) throw entityNotFound(emulator);
  return dataset;
}

export function personal(emulator: Emulator): PowerBiError {
  if (emulator.guess('personal_workspace') === '404') return entityNotFound(emulator);
  return headerOnly(401, 'GroupNotAccessible');
}

function noRole(emulator: Emulator): PowerBiError {
  const guess = emulator.guess('no_workspace_role');
  if (guess === '404') return entityNotFound(emulator);
  return guess === '401_group_not_accessible' ? headerOnly(401, 'GroupNotAccessible') : notAuthorized();
}
