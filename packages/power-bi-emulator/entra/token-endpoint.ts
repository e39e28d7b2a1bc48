import type { Request, RequestHandler } from 'express';
import { callOf } from '../core/locals.js';
import type { ServicePrincipal } from '../content/model.js';
import { demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { issueAccessToken, issueIdToken } from './access-token.js';
import { audienceOfResource, audienceOfScope, graph, scopesFrom, scopesOfResource } from './audiences.js';
import { authenticate, formOf, isAuthenticated, type Form } from './client-authentication.js';
import { EntraError } from './entra-error.js';
import { codeGrant, deviceCodeGrant, passwordGrant, refreshGrant, required } from './grants.js';
import { issuerOf } from './origin.js';
import { responding } from './responding.js';
import type { Consent } from './sign-ins.js';
import { isShared } from './tenants.js';

const delegatedGrants = {
  password: passwordGrant,
  authorization_code: codeGrant,
  refresh_token: refreshGrant,
  'urn:ietf:params:oauth:grant-type:device_code': deviceCodeGrant,
  // Clients of v1 endpoints use the name of a draft.
  device_code: deviceCodeGrant,
};

type Version = '1.0' | '2.0';

/** `POST /{tenant}/oauth2/v2.0/token`: the resource is named by `scope`; `/oauth2/token` (v1): by `resource`. */
export function tokenEndpoint(emulator: Emulator, version: Version): RequestHandler {
  return responding(emulator, async (request, response) => {
    const form = formOf(request);
    const client = await authenticate(emulator, form);
    callOf(response).principal = client.clientId;
    const type = required(form, 'grant_type');
    if (type === 'client_credentials') return clientCredentials(emulator, request, form, client, version);
    if (!Object.hasOwn(delegatedGrants, type)) throw unsupported();
    const consent = delegatedGrants[type as keyof typeof delegatedGrants]({
      emulator,
      form,
      client,
      tenant: String(request.params.tenant),
      version,
      scopes: () => (version === '1.0' ? scopesOfResource(form.resource) : scopesFrom(form.scope)),
    });
    callOf(response).user = consent.person.upn;
    return delegated(emulator, request, form, { consent, client, version });
  });
}

async function clientCredentials(
  emulator: Emulator,
  request: Request,
  form: Form,
  client: ServicePrincipal,
  version: Version,
): Promise<object> {
  if (!isAuthenticated(form)) {
    const message =
      "'client_assertion', 'client_secret' or 'request' is required for the 'client_credentials' grant type.";
    throw new EntraError('invalid_client', 7000216, message);
  }
  if (isShared(String(request.params.tenant))) {
    const message =
      'No tenant-identifying information found in either the request or implied by any provided credentials.';
    throw new EntraError('invalid_request', 50059, message);
  }
  const audience = version === '1.0' ? audienceOfResource(form.resource) : audienceOfScope(form.scope);
  if (!audience) {
    const requested = form.scope ?? form.resource;
    throw new EntraError('invalid_scope', 70011, `The provided value for scope ${requested} is not valid.`);
  }
  const lifetime = lifetimeOf(emulator);
  const token = await issueAccessToken(emulator, { to: client, audience, lifetime });
  return tokenFields(emulator, { version, lifetime, resource: form.resource, token });
}

async function delegated(
  emulator: Emulator,
  request: Request,
  form: Form,
  { consent, client, version }: { consent: Consent; client: ServicePrincipal; version: Version },
): Promise<object> {
  const { person, audience, permissions, openid, nonce } = consent;
  const lifetime = lifetimeOf(emulator);
  const order = { to: client, audience, lifetime, user: { person, permissions } };
  const fields = { version, lifetime, resource: audience, token: await issueAccessToken(emulator, order) };
  const issuer = issuerOf(emulator, request, version);
  return {
    ...tokenFields(emulator, fields),
    scope: version === '1.0' ? 'user_impersonation' : scopeOf(consent),
    ...(openid.includes('offline_access') && { refresh_token: emulator.signIns.addRefreshToken(consent) }),
    ...(openid.includes('openid') && {
      id_token: await issueIdToken(emulator, { to: client, person, issuer, version, lifetime, nonce }),
    }),
    ...(form.client_info && { client_info: clientInfoOf(consent) }),
  };
}

function scopeOf({ audience, permissions, openid }: Consent): string {
  const prefix = audience === graph ? '' : `${audience}/`;
  const named = permissions.map((each) => prefix + each);
  return [...named, ...openid.filter((each) => each !== 'offline_access')].join(' ');
}

/** Identifies the account in MSAL's cache. */
export function clientInfoOf({ person }: Pick<Consent, 'person'>): string {
  const info = { uid: person.objectId, utid: demoTenant.tenantId };
  return Buffer.from(JSON.stringify(info)).toString('base64url');
}

function tokenFields(
  emulator: Emulator,
  fields: { version: Version; lifetime: number; resource: string | undefined; token: string },
): object {
  const { version, lifetime, resource, token: access_token } = fields;
  const token_type = 'Bearer';
  if (version === '2.0') return { token_type, expires_in: lifetime, ext_expires_in: lifetime, access_token };
  const number = emulator.guess('v1_token_numbers') === 'strings' ? String : Number;
  const now = emulator.clock.seconds();
  return {
    token_type,
    expires_in: number(lifetime),
    ext_expires_in: number(lifetime),
    expires_on: number(now + lifetime),
    not_before: number(now),
    resource,
    access_token,
  };
}

export function lifetimeOf(emulator: Emulator): number {
  if (emulator.guess('token_lifetime') === 'as_set') return emulator.settings.entra_token_seconds;
  return 3600 + Math.floor(Math.random() * 1800);
}

function unsupported(): EntraError {
  return new EntraError('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.');
}
