import { Router, type Request, type RequestHandler } from 'express';
import { isOwnDomain } from '../content/people.js';
import { demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { EntraError } from './entra-error.js';
import { originOf } from './origin.js';
import { checkTenant, isShared } from './tenants.js';

/** Names of each cloud's authority. */
const clouds = [
  ['login.microsoftonline.com', 'login.windows.net', 'login.microsoft.com', 'sts.windows.net'],
  ['login.partner.microsoftonline.cn', 'login.chinacloudapi.cn'],
  ['login.microsoftonline.us', 'login.usgovcloudapi.net'],
];

/** What clients read before they sign in: the names of an authority, its endpoints, its keys, the kind of a user. */
export function discoveryRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/:tenant/discovery/instance', instances(emulator));
  router.get('/:tenant/v2.0/.well-known/openid-configuration', configuration(emulator, '2.0'));
  router.get('/:tenant/.well-known/openid-configuration', configuration(emulator, '1.0'));
  router.get(['/:tenant/discovery/v2.0/keys', '/:tenant/discovery/keys'], (_request, response) => {
    response.json({ keys: [emulator.keys.entra.jwk] });
  });
  router.get('/:tenant/userrealm/:user', userRealm(emulator));
  return router;
}

function instances(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { host } = new URL(originOf(emulator, request));
    const { authorization_endpoint: requested } = request.query;
    const authority =
      typeof requested === 'string' && URL.canParse(requested) ? new URL(requested) : undefined;
    const known = clouds.some((names) => names.includes(host)) ? clouds : [...clouds, [host]];
    if (!authority || !known.flat().includes(authority.host)) {
      const error = new EntraError('invalid_instance', 50049, 'Unknown or invalid instance.');
      response.status(400).json(error.toBody(emulator, request.get('client-request-id')));
      return;
    }
    const [, tenant] = authority.pathname.split('/');
    const version = authority.pathname.includes('/v2.0/') ? '/v2.0' : '';
    response.json({
      tenant_discovery_endpoint: `${authority.origin}/${tenant}${version}/.well-known/openid-configuration`,
      'api-version': '1.1',
      metadata: known.map((aliases) => ({
        preferred_network: aliases[0],
        // The cache of MSAL calls the public cloud by its second name.
        preferred_cache: aliases[1] ?? aliases[0],
        aliases,
      })),
    });
  };
}

function configuration(emulator: Emulator, version: '1.0' | '2.0'): RequestHandler {
  return (request, response) => {
    const tenant = String(request.params.tenant);
    try {
      checkTenant(tenant, 'invalid_tenant');
      const fields = version === '2.0' ? configurationV2 : configurationV1;
      response.json(fields(originOf(emulator, request), tenant));
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      response.status(400).json(error.toBody(emulator, request.get('client-request-id')));
    }
  };
}

function configurationV2(origin: string, tenant: string): Record<string, unknown> {
  const base = `${origin}/${tenant}`;
  return {
    issuer: `${origin}/${idOf(tenant)}/v2.0`,
    authorization_endpoint: `${base}/oauth2/v2.0/authorize`,
    token_endpoint: `${base}/oauth2/v2.0/token`,
    device_authorization_endpoint: `${base}/oauth2/v2.0/devicecode`,
    end_session_endpoint: `${base}/oauth2/v2.0/logout`,
    jwks_uri: `${base}/discovery/v2.0/keys`,
    userinfo_endpoint: `${origin}/oidc/userinfo`,
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    ...supported,
  };
}

function configurationV1(origin: string, tenant: string): Record<string, unknown> {
  const base = `${origin}/${tenant}`;
  return {
    issuer: `https://sts.windows.net/${idOf(tenant)}/`,
    authorization_endpoint: `${base}/oauth2/authorize`,
    token_endpoint: `${base}/oauth2/token`,
    device_authorization_endpoint: `${base}/oauth2/devicecode`,
    end_session_endpoint: `${base}/oauth2/logout`,
    jwks_uri: `${base}/discovery/keys`,
    userinfo_endpoint: `${origin}/oidc/userinfo`,
    scopes_supported: ['openid'],
    ...supported,
  };
}

/** Tokens name the tenant by its id; for authorities of all tenants, the issuer is a template. */
const idOf = (tenant: string): string => (isShared(tenant) ? '{tenantid}' : demoTenant.tenantId);

const supported = {
  token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt', 'client_secret_basic'],
  response_types_supported: ['code', 'id_token', 'code id_token'],
  response_modes_supported: ['query', 'fragment', 'form_post'],
  code_challenge_methods_supported: ['plain', 'S256'],
  subject_types_supported: ['pairwise'],
  id_token_signing_alg_values_supported: ['RS256'],
  claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'nonce', 'name', 'oid', 'tid', 'preferred_username'],
  request_uri_parameter_supported: false,
  tenant_region_scope: 'EU',
  cloud_instance_name: 'microsoftonline.com',
};

/** Clients that send passwords ask first whether Entra itself manages the user. */
function userRealm(emulator: Emulator): RequestHandler {
  return (request: Request, response) => {
    const user = String(request.params.user);
    const managed = isOwnDomain(emulator.content, user);
    response.json({
      ver: '1.0',
      account_type: managed ? 'Managed' : 'Unknown',
      ...(managed && { domain_name: user.split('@')[1] }),
      cloud_instance_name: 'microsoftonline.com',
      cloud_audience_urn: 'urn:federation:MicrosoftOnline',
    });
  };
}
