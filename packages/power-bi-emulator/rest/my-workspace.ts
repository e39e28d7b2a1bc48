import type { Request, Response } from 'express';
import { sameId } from '../content/content.js';
import type { Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { entityNotFound, notAuthorized, PowerBiError } from './power-bi-error.js';
import { openWorkspace, rightIn } from './rights.js';

/** Paths of an operation that exists for a workspace and for My workspace. */
export function everywhere(path: string): string[] {
  return [`/groups/:group${path}`, path];
}

/** The workspace of the path, or My workspace. Throws PowerBiError. */
export function workspaceAt(emulator: Emulator, request: Request, response: Response): Workspace {
  const principal = principalOf(response);
  const { group } = request.params;
  return group === undefined ? myWorkspace(emulator, principal) : openWorkspace(emulator, principal, group);
}

/** The caller's My workspace. A service principal has none. Throws PowerBiError. */
export function myWorkspace(emulator: Emulator, principal: Principal): Workspace {
  const guess = emulator.guess('my_workspace_of_principal');
  if (guess !== 'personal_workspace' && isServicePrincipal(emulator, principal)) {
    throw guess === '401' ? notAuthorized() : notForApplications();
  }
  const mine = emulator.content.workspaces.find(
    (each) => each.type === 'PersonalGroup' && rightIn(emulator, each, principal) === 'Admin',
  );
  if (!mine) throw entityNotFound(emulator);
  return mine;
}

export function isServicePrincipal(emulator: Emulator, { objectId }: Principal): boolean {
  return emulator.content.principals.some((each) => sameId(each.objectId, objectId));
}

export function notForApplications(): PowerBiError {
  return new PowerBiError(403, { Message: 'API is not accessible for application' });
}
