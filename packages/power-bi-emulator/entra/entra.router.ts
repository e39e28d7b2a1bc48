import { Router, type RequestHandler } from 'express';
import type { Emulator } from '../emulator.js';
import { graph } from './audiences.js';
import { readAccessToken } from './access-token.js';
import { authorize } from './authorize.js';
import { deviceCodeEndpoint, deviceLogin, deviceLoginPaths } from './device-code.js';
import { discoveryRouter } from './discovery.router.js';
import { EntraError } from './entra-error.js';
import { escaped, page } from './html.js';
import { appServiceIdentity, imdsIdentity } from './managed-identity.js';
import { tokenEndpoint } from './token-endpoint.js';

export function entraRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/msi/token', appServiceIdentity(emulator));
  router.get('/metadata/identity/oauth2/token', imdsIdentity(emulator));
  router.use(discoveryRouter(emulator));
  router.all(deviceLoginPaths, deviceLogin(emulator));
  router.get('/oidc/userinfo', userInfo(emulator));
  for (const [version, base] of [
    ['2.0', '/:tenant/oauth2/v2.0'],
    ['1.0', '/:tenant/oauth2'],
  ] as const) {
    router.post(`${base}/token`, tokenEndpoint(emulator, version));
    router.post(`${base}/devicecode`, deviceCodeEndpoint(emulator, version));
    router.get(`${base}/authorize`, authorize(emulator, version));
    router.post(`${base}/authorize`, authorize(emulator, version));
    router.get(`${base}/logout`, logout);
    router.get([`${base}/token`, `${base}/devicecode`], onlyPost(emulator));
  }
  return router;
}

function onlyPost(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const message = 'The endpoint only accepts POST requests. Received a GET request.';
    const error = new EntraError('invalid_request', 900561, message);
    response.status(400).json(error.toBody(emulator, request.get('client-request-id')));
  };
}

/** Ends the browser's session. */
const logout: RequestHandler = (request, response) => {
  response.clearCookie('ESTSAUTH', { path: '/' });
  const { post_logout_redirect_uri: target } = request.query;
  const back =
    typeof target === 'string' && /^https?:/i.test(target)
      ? `<p><a href="${escaped(target)}">Continue</a></p>`
      : '';
  response.type('html').send(page('You have signed out', back));
};

/** The claims of a user, for a token of a sign-in that names no API. */
function userInfo(emulator: Emulator): RequestHandler {
  return async (request, response) => {
    const token = (request.get('authorization') ?? '').replace(/^Bearer /i, '');
    const claims = await readAccessToken(emulator, token, [graph]);
    if (typeof claims === 'string') {
      response
        .status(401)
        .json({ error: { code: 'InvalidAuthenticationToken', message: 'Access token validation failure.' } });
      return;
    }
    const { sub, name, upn, preferred_username } = claims as typeof claims & { sub: string; name: string };
    response.json({ sub, name, email: upn ?? preferred_username });
  };
}
