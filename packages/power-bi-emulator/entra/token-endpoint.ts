import type { RequestHandler, Response } from 'express';
import { bodyOf } from '../core/body.js';
import { callOf } from '../core/locals.js';
import { demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { issueAccessToken } from './access-token.js';
import { audienceOfResource, audienceOfScope } from './audiences.js';
import { authenticate, type Form } from './client-authentication.js';
import { EntraError } from './entra-error.js';

/** `POST /{tenant}/oauth2/v2.0/token`: the resource is named by `scope`. */
export function tokenEndpoint(emulator: Emulator): RequestHandler {
  return answering(emulator, async (form, response) => {
    const { token, lifetime } = await grant(emulator, form, response, audienceOfScope(form.scope));
    return { token_type: 'Bearer', expires_in: lifetime, ext_expires_in: lifetime, access_token: token };
  });
}

/** `POST /{tenant}/oauth2/token` (v1): the resource is named by `resource`. */
export function tokenEndpointV1(emulator: Emulator): RequestHandler {
  return answering(emulator, async (form, response) => {
    const audience = audienceOfResource(form.resource);
    const { token, lifetime } = await grant(emulator, form, response, audience);
    const number = emulator.guess('v1_token_numbers') === 'strings' ? String : Number;
    return {
      token_type: 'Bearer',
      expires_in: number(lifetime),
      ext_expires_in: number(lifetime),
      expires_on: number(emulator.clock.seconds() + lifetime),
      not_before: number(emulator.clock.seconds()),
      resource: form.resource,
      access_token: token,
    };
  });
}

async function grant(emulator: Emulator, form: Form, response: Response, audience: string | undefined) {
  const principal = await authenticate(emulator, form);
  callOf(response).principal = principal.clientId;
  if (!audience) {
    const asked = form.scope ?? form.resource;
    throw new EntraError('invalid_scope', 70011, `The provided value for scope ${asked} is not valid.`);
  }
  const lifetime = lifetimeOf(emulator);
  const token = await issueAccessToken(emulator, { to: principal, audience, lifetime });
  return { token, lifetime };
}

function lifetimeOf(emulator: Emulator): number {
  if (emulator.guess('token_lifetime') === 'as_set') return emulator.settings.entra_token_seconds;
  return 3600 + Math.floor(Math.random() * 1800);
}

function answering(
  emulator: Emulator,
  answer: (form: Form, response: Response) => Promise<object>,
): RequestHandler {
  return async (request, response) => {
    const form = (bodyOf(request) ?? {}) as Form;
    response.set('Cache-Control', 'no-store');
    try {
      checkTenant(String(request.params.tenant));
      response.json(await answer(form, response));
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      response.status(statusOf(emulator, error)).json(error.toBody(emulator, form['client-request-id']));
    }
  };
}

/** Service principals cannot use the tenants `common` and `organizations`. */
function checkTenant(tenant: string): void {
  if (tenant.toLowerCase() === demoTenant.tenantId) return;
  throw new EntraError('invalid_request', 90002, `Tenant '${tenant}' not found.`);
}

function statusOf(emulator: Emulator, { error }: EntraError): number {
  const distinguishes = emulator.guess('token_endpoint_statuses') === '401_for_invalid_client';
  return distinguishes && error === 'invalid_client' ? 401 : 400;
}
