import { randomUUID } from 'node:crypto';
import { Router, type RequestHandler, type Response } from 'express';
import { sameId } from '../content/content.js';
import type { Profile } from '../content/model.js';
import { principalOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { profileRefused, type Principal } from './bearer.js';
import { jsonBody } from './json-body.js';
import { collection, entity, selected } from './odata.js';
import { entityNotFound, invalidRequest } from './power-bi-error.js';
import { checkGuid } from './rights.js';

/** Service principal profiles: managed by their service principal, never under a profile or by a user. */
export function profilesRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/profiles', list(emulator));
  router.post('/profiles', create(emulator));
  router.get('/profiles/:profile', get(emulator));
  router.put('/profiles/:profile', update(emulator));
  router.delete('/profiles/:profile', remove(emulator));
  return router;
}

export function profileView({ id, displayName }: Profile): Record<string, unknown> {
  return { id, displayName };
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const profiles = ownProfiles(emulator, parentOf(emulator, response)).map(profileView);
    response.json(collection(emulator, 'profiles', selected(profiles, request.query)));
  };
}

function create(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { objectId } = parentOf(emulator, response);
    const displayName = readName(jsonBody(emulator, request));
    const profile = { id: randomUUID(), displayName, servicePrincipalId: objectId };
    emulator.content.profiles.push(profile);
    response.json(entity(emulator, 'profiles', profileView(profile)));
  };
}

function get(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const profile = ownProfile(emulator, response, request.params.profile);
    response.json(entity(emulator, 'profiles', profileView(profile)));
  };
}

function update(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const profile = ownProfile(emulator, response, request.params.profile);
    profile.displayName = readName(jsonBody(emulator, request));
    response.json(entity(emulator, 'profiles', profileView(profile)));
  };
}

function remove(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const profile = ownProfile(emulator, response, request.params.profile);
    emulator.content.profiles.splice(emulator.content.profiles.indexOf(profile), 1);
    response.end();
  };
}

function parentOf(emulator: Emulator, response: Response): Principal {
  const principal = principalOf(response);
  if (principal.profile || principal.upn) throw profileRefused(emulator);
  return principal;
}

function ownProfiles(emulator: Emulator, { objectId }: Principal): Profile[] {
  return emulator.content.profiles.filter((each) => sameId(each.servicePrincipalId, objectId));
}

function ownProfile(emulator: Emulator, response: Response, id: unknown): Profile {
  const wanted = checkGuid(emulator, id, 'profileId');
  const found = ownProfiles(emulator, parentOf(emulator, response)).find((each) => sameId(each.id, wanted));
  if (!found) throw entityNotFound(emulator);
  return found;
}

function readName({ displayName }: Record<string, unknown>): string {
  if (typeof displayName === 'string' && displayName !== '') return displayName;
  throw invalidRequest('Parameter displayName is missing or invalid');
}
