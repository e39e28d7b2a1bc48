import type { Request } from 'express';
import { bodyOf } from '../core/body.js';
import type { ServicePrincipal } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { clientOf } from './clients.js';
import { EntraError } from './entra-error.js';
import type { Code } from './sign-ins.js';
import { checkTenant } from './tenants.js';

const modes = ['query', 'fragment', 'form_post'] as const;
type Mode = (typeof modes)[number];

export interface AuthorizationRequest {
  fields: Record<string, string>;
  client: ServicePrincipal;
  redirectUri: string;
  mode: Mode;
  responseTypes: string[];
  challenge: Code['challenge'];
}

/** The parameters of an authorization request, from its query or its form. Throws EntraError. */
export function authorizationRequest(emulator: Emulator, request: Request): AuthorizationRequest {
  checkTenant(String(request.params.tenant));
  const fields = fieldsOf(request);
  const client = clientOf(emulator, fields.client_id);
  const responseTypes = (fields.response_type ?? 'code').split(' ');
  if (responseTypes.some((each) => each !== 'code' && each !== 'id_token')) {
    const message = `The response type '${fields.response_type}' is not supported.`;
    throw new EntraError('unsupported_response_type', 700054, message);
  }
  const mode = modeOf(fields.response_mode, responseTypes);
  return {
    fields,
    client,
    redirectUri: redirectUriOf(client, fields),
    mode,
    responseTypes,
    challenge: challengeOf(fields),
  };
}

function fieldsOf(request: Request): Record<string, string> {
  const form = request.method === 'POST' ? (bodyOf(request) ?? {}) : {};
  const all = Object.entries({ ...request.query, ...form });
  return Object.fromEntries(all.filter((each): each is [string, string] => typeof each[1] === 'string'));
}

/** Browsers run or render these as part of the page. The parser ignores spaces and tabs, as browsers do. */
const unsafe = new Set(['javascript:', 'vbscript:', 'data:', 'blob:']);
const isSafe = (uri: string): boolean => URL.canParse(uri) && !unsafe.has(new URL(uri).protocol);

function redirectUriOf(client: ServicePrincipal, fields: Record<string, string>): string {
  const uri = fields.redirect_uri ?? client.redirectUris?.[0];
  const registered = client.redirectUris ?? [uri];
  if (uri && registered.includes(uri) && isSafe(uri)) return uri;
  const message = `The redirect URI '${uri}' specified in the request does not match the redirect URIs configured for the application '${client.clientId}'.`;
  throw new EntraError('invalid_request', 50011, message);
}

/** Tokens never go into a query. */
function modeOf(requested: string | undefined, responseTypes: string[]): Mode {
  const mode = requested ?? (responseTypes.includes('id_token') ? 'fragment' : 'query');
  const known = modes.find((each) => each === mode);
  if (known && !(known === 'query' && responseTypes.includes('id_token'))) return known;
  throw new EntraError('invalid_request', 70007, `'${mode}' is not a supported value of 'response_mode'.`);
}

function challengeOf(fields: Record<string, string>): Code['challenge'] {
  const { code_challenge: value, code_challenge_method: method = 'plain' } = fields;
  if (!value) return undefined;
  if (method === 'S256' || method === 'plain') return { value, method };
  const message = `The value '${method}' of 'code_challenge_method' is not supported.`;
  throw new EntraError('invalid_request', 501491, message);
}
