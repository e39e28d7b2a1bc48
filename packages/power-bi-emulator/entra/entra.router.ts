import { Router } from 'express';
import type { Emulator } from '../emulator.js';
import { appServiceIdentity, imdsIdentity } from './managed-identity.js';
import { tokenEndpoint, tokenEndpointV1 } from './token-endpoint.js';

export function entraRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/msi/token', appServiceIdentity(emulator));
  router.get('/metadata/identity/oauth2/token', imdsIdentity(emulator));
  router.post('/:tenant/oauth2/v2.0/token', tokenEndpoint(emulator));
  router.post('/:tenant/oauth2/token', tokenEndpointV1(emulator));
  router.get('/:tenant/v2.0/.well-known/openid-configuration', (request, response) => {
    response.json(configuration(emulator, request.params.tenant));
  });
  router.get('/:tenant/discovery/v2.0/keys', (_request, response) => {
    response.json({ keys: [emulator.keys.entra.jwk] });
  });
  return router;
}

/** MSAL requires an https issuer on the authority's host, whatever the endpoints are. */
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
