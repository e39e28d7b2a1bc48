import { Router, type Request, type Response } from 'express';
import { bodyOf } from '../core/body.js';
import { demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { issueAccessToken } from './access-token.js';
import { authenticate } from './client-authentication.js';
import { EntraError } from './entra-error.js';

export function entraRouter(emulator: Emulator): Router {
  const router = Router();
  router.post('/:tenant/oauth2/v2.0/token', (request, response) => token(emulator, request, response));
  router.get('/:tenant/v2.0/.well-known/openid-configuration', (request, response) => {
    response.json(configuration(emulator, request.params.tenant));
  });
  router.get('/:tenant/discovery/v2.0/keys', (_request, response) => {
    response.json({ keys: [emulator.keys.entra.jwk] });
  });
  return router;
}

async function token(emulator: Emulator, request: Request, response: Response): Promise<void> {
  const form = bodyOf(request) as Record<string, string | undefined>;
  try {
    checkTenant(String(request.params.tenant));
    const principal = await authenticate(emulator, form);
    response.locals.call.principal = principal.clientId;
    const lifetime = emulator.settings.entra_token_seconds;
    const accessToken = await issueAccessToken(emulator, principal, lifetime);
    response.set('Cache-Control', 'no-store').json({
      token_type: 'Bearer',
      expires_in: lifetime,
      ext_expires_in: lifetime,
      access_token: accessToken,
    });
  } catch (error) {
    if (!(error instanceof EntraError)) throw error;
    response.status(error.status).json(error.toBody(emulator.clock, form['client-request-id']));
  }
}

function checkTenant(tenant: string): void {
  if (tenant.toLowerCase() === demoTenant.tenantId) return;
  throw new EntraError('invalid_request', 90002, `Tenant '${tenant}' not found.`);
}

/** MSAL insists on an https issuer with the authority's own host, whatever the endpoints are. */
function configuration(emulator: Emulator, tenant: string): Record<string, unknown> {
  const base = `${emulator.url}/${tenant}`;
  return {
    issuer: `https://${new URL(emulator.url).host}/${tenant}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
    response_types_supported: ['code'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
  };
}
