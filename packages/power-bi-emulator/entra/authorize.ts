import type { Request, RequestHandler, Response } from 'express';
import type { ServicePrincipal } from '../content/model.js';
import { findPerson, peopleOf, type Person } from '../content/people.js';
import { callOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { issueIdToken } from './access-token.js';
import { scopesFrom, scopesOfResource } from './audiences.js';
import { authorizationRequest, type AuthorizationRequest } from './authorization-request.js';
import { EntraError } from './entra-error.js';
import { buttonsFor, escaped, hidden, page } from './html.js';
import { issuerOf } from './origin.js';
import { clientInfoOf, lifetimeOf } from './token-endpoint.js';

const cookie = 'ESTSAUTH';

/**
 * `/{tenant}/oauth2/v2.0/authorize` and `/oauth2/authorize` (v1). A page lists the people who can sign in; a client
 * without a browser posts the same parameters with a `username`.
 */
export function authorize(emulator: Emulator, version: '1.0' | '2.0'): RequestHandler {
  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    let authorization: AuthorizationRequest | undefined;
    try {
      authorization = authorizationRequest(emulator, request);
      callOf(response).principal = authorization.client.clientId;
      await proceed(emulator, request, response, authorization, version);
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      refuse(emulator, response, error, authorization);
    }
  };
}

async function proceed(
  emulator: Emulator,
  request: Request,
  response: Response,
  authorization: AuthorizationRequest,
  version: '1.0' | '2.0',
): Promise<void> {
  const { fields, client } = authorization;
  const scopes = version === '1.0' ? scopesOfResource(fields.resource) : scopesFrom(fields.scope);
  if (fields.sign_in === 'cancelled') {
    throw new EntraError('access_denied', 65004, 'User declined to consent to access the app.');
  }
  const chosen = fields.username;
  const person = chosen ? findPerson(emulator.content, chosen) : signedIn(emulator, request, fields);
  if (!person) {
    if (chosen) throw new EntraError('invalid_request', 50034, `The user account ${chosen} does not exist.`);
    if (fields.prompt === 'none') {
      const message = 'A silent sign-in request was sent but no user is signed in.';
      throw new EntraError('login_required', 50058, message);
    }
    response.type('html').send(signInPage(emulator, client, fields));
    return;
  }
  callOf(response).user = person.upn;
  response.cookie(cookie, person.upn, { httpOnly: true, path: '/', ...crossSite(request) });
  const consent = { ...scopes, clientId: client.clientId, person, nonce: fields.nonce };
  const { challenge, redirectUri, responseTypes } = authorization;
  const order = {
    to: client,
    person,
    issuer: issuerOf(emulator, request, version),
    version,
    lifetime: lifetimeOf(emulator),
    nonce: fields.nonce,
  };
  send(response, authorization, {
    ...(responseTypes.includes('code') && {
      code: emulator.signIns.addCode({ ...consent, redirectUri, challenge }),
    }),
    ...(responseTypes.includes('id_token') && { id_token: await issueIdToken(emulator, order) }),
    ...(fields.client_info && { client_info: clientInfoOf({ person }) }),
    session_state: person.objectId,
  });
}

/** A silent sign-in in a frame needs the cookie there too, which browsers allow over https only. */
function crossSite(request: Request): { sameSite: 'none' | 'lax'; secure: boolean } {
  return request.secure ? { sameSite: 'none', secure: true } : { sameSite: 'lax', secure: false };
}

/** The person of an earlier sign-in in this browser. */
function signedIn(emulator: Emulator, request: Request, fields: Record<string, string>): Person | undefined {
  if (['login', 'select_account', 'consent'].includes(fields.prompt ?? '')) return undefined;
  const [, value = ''] = new RegExp(`(?:^|; )${cookie}=([^;]*)`).exec(request.get('cookie') ?? '') ?? [];
  const person = findPerson(emulator.content, decoded(value));
  const hint = fields.login_hint?.toLowerCase();
  return hint && person?.upn.toLowerCase() !== hint ? undefined : person;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return '';
  }
}

function signInPage(
  emulator: Emulator,
  { displayName }: ServicePrincipal,
  fields: Record<string, string>,
): string {
  const hint = fields.login_hint?.toLowerCase();
  const people = peopleOf(emulator.content);
  const suggested = people.filter(({ upn }) => upn.toLowerCase() === hint);
  const form = `<form method="post">
${hidden(fields)}
${buttonsFor(suggested.length > 0 ? suggested : people)}
<button name="sign_in" value="cancelled">Cancel</button>
</form>`;
  return page('Sign in', `<p>to continue to ${escaped(displayName)}</p>\n${form}`);
}

/** Errors before the redirect URI is known to be the app's are shown, never redirected. */
function refuse(
  emulator: Emulator,
  response: Response,
  error: EntraError,
  authorization: AuthorizationRequest | undefined,
): void {
  const { error_description } = error.toBody(emulator, undefined);
  if (authorization)
    send(response, authorization, { error: error.error, error_description: String(error_description) });
  else
    response
      .status(400)
      .type('html')
      .send(page("Sorry, but we're having trouble signing you in.", escaped(String(error_description))));
}

function send(response: Response, authorization: AuthorizationRequest, result: Record<string, string>): void {
  const { redirectUri, mode, fields } = authorization;
  const all = { ...result, ...(fields.state !== undefined && { state: fields.state }) };
  if (mode === 'form_post') {
    const form = `<form method="post" action="${escaped(redirectUri)}">${hidden(all)}<button>Continue</button></form>
<script>document.forms[0].submit();</script>`;
    response.type('html').send(page('Working…', form));
    return;
  }
  const target = new URL(redirectUri);
  if (mode === 'fragment') target.hash = new URLSearchParams(all).toString();
  else for (const [name, value] of Object.entries(all)) target.searchParams.append(name, value);
  response.redirect(target.href);
}
