import type { RequestHandler, Response } from 'express';
import { callOf } from '../core/locals.js';
import { demoIdentityHeader, demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { issueAccessToken } from './access-token.js';
import { audienceOfResource } from './audiences.js';

/** The identity endpoint of App Service and Container Apps; `X-IDENTITY-HEADER` authenticates callers. */
export function appServiceIdentity(emulator: Emulator): RequestHandler {
  return async (request, response) => {
    if (request.get('x-identity-header') !== demoIdentityHeader)
      refuse(emulator, response, 401, 'unauthorized');
    else await sendToken(emulator, response, request.query.resource);
  };
}

/** The metadata service of virtual machines (IMDS), which requires `Metadata: true`. */
export function imdsIdentity(emulator: Emulator): RequestHandler {
  return async (request, response) => {
    if (request.get('metadata') !== 'true') refuse(emulator, response, 400, 'bad_request_102');
    else await sendToken(emulator, response, request.query.resource);
  };
}

/** The identity is the demo service principal: grant it roles like a managed identity. */
async function sendToken(emulator: Emulator, response: Response, resource: unknown): Promise<void> {
  const audience = audienceOfResource(resource);
  const to = emulator.content.principals.find(({ clientId }) => clientId === demoTenant.clientId);
  if (!audience || !to) {
    refuse(emulator, response, 400, 'invalid_resource');
    return;
  }
  callOf(response).principal = to.clientId;
  const lifetime = emulator.settings.managed_identity_token_seconds;
  const number = emulator.guess('v1_token_numbers') === 'strings' ? String : Number;
  response.json({
    access_token: await issueAccessToken(emulator, { to, audience, lifetime }),
    expires_on: number(emulator.clock.seconds() + lifetime),
    resource,
    token_type: 'Bearer',
    client_id: to.clientId,
  });
}

function refuse(emulator: Emulator, response: Response, status: number, error: string): void {
  if (emulator.guess('managed_identity_refusal') === 'empty') response.status(status).end();
  else
    response.status(status).json({ error, error_description: 'The identity endpoint refused the request.' });
}
