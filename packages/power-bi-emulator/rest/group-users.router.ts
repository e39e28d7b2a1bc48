import { Router, type Request, type RequestHandler, type Response } from 'express';
import { sameId } from '../content/content.js';
import type { AccessRight, Member, Workspace } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { jsonBody } from './json-body.js';
import { collection, selected } from './odata.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkRight, openWorkspace } from './rights.js';

const types: unknown[] = ['None', 'User', 'Group', 'App'];
const rights: unknown[] = ['None', 'Member', 'Admin', 'Contributor', 'Viewer'];

/** Roles in a workspace. A service principal is identified by its object id, not by its client id. */
export function groupUsersRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/groups/:group/users', list(emulator));
  router.post('/groups/:group/users', put(emulator, { mustExist: false }));
  router.put('/groups/:group/users', put(emulator, { mustExist: true }));
  router.delete('/groups/:group/users/:user', remove(emulator));
  router.post('/RefreshUserPermissions', refresh(emulator));
  return router;
}

export function memberView({ since: _since, ...member }: Member): Record<string, unknown> {
  return member;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { id, members } = openWorkspace(emulator, principalOf(response), request.params.group);
    const users = selected(members.map(memberView), request.query);
    response.json(collection(emulator, `groups/${id}/users`, users));
  };
}

function put(emulator: Emulator, { mustExist }: { mustExist: boolean }): RequestHandler {
  return (request, response) => {
    const workspace = managed(emulator, request, response);
    const member = readMember(emulator, jsonBody(emulator, request));
    const at = workspace.members.findIndex((each) =>
      isSameMember(each, member.identifier, member.profile?.id),
    );
    if (mustExist && at < 0) throw entityNotFound(emulator);
    workspace.members.splice(at < 0 ? workspace.members.length : at, 1, member);
    workspace.modified = emulator.clock.now().getTime();
    response.end();
  };
}

function remove(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const workspace = managed(emulator, request, response);
    const { profileId } = request.query;
    const at = workspace.members.findIndex((each) =>
      isSameMember(each, String(request.params.user), profileId),
    );
    if (at < 0) throw entityNotFound(emulator);
    workspace.members.splice(at, 1);
    workspace.modified = emulator.clock.now().getTime();
    response.end();
  };
}

function refresh(emulator: Emulator): RequestHandler {
  return (_request, response) => {
    emulator.propagation.refresh(principalOf(response));
    response.end();
  };
}

function managed(emulator: Emulator, request: Request, response: Response): Workspace {
  const principal = principalOf(response);
  const workspace = openWorkspace(emulator, principal, request.params.group);
  checkRight(emulator, workspace, principal, emulator.guess('manage_users_right'));
  return workspace;
}

export function isSameMember(member: Member, identifier: string, profileId: unknown): boolean {
  if (!sameId(member.identifier, identifier)) return false;
  return typeof profileId === 'string' ? sameId(member.profile?.id, profileId) : !member.profile;
}

export function readMember(emulator: Emulator, body: Record<string, unknown>): Member {
  const identifier = body.identifier ?? body.emailAddress;
  if (typeof identifier !== 'string' || identifier === '') throw invalid('Identifier');
  if (!rights.includes(body.groupUserAccessRight)) throw invalid('GroupUserAccessRight');
  const lenient = emulator.guess('principal_type_missing') === 'user';
  const principalType = body.principalType ?? (lenient ? 'User' : undefined);
  if (!types.includes(principalType)) throw invalid('PrincipalType');
  return {
    identifier,
    principalType: principalType as Member['principalType'],
    groupUserAccessRight: body.groupUserAccessRight as AccessRight,
    since: emulator.clock.now().getTime(),
    ...(typeof body.emailAddress === 'string' && { emailAddress: body.emailAddress }),
    ...(typeof body.displayName === 'string' && { displayName: body.displayName }),
    ...readProfile(emulator, body.profile),
  };
}

function readProfile(emulator: Emulator, value: unknown): Pick<Member, 'profile'> {
  if (value === undefined || value === null) return {};
  const { id } = value as { id?: string };
  const profile = emulator.content.profiles.find((each) => sameId(each.id, id));
  if (!profile) throw entityNotFound(emulator);
  return { profile: { id: profile.id, displayName: profile.displayName } };
}

function invalid(name: string): Error {
  return invalidRequest(`Parameter userDetails.${name} is missing or invalid`);
}
