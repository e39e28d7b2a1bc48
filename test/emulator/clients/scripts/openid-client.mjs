import * as oidc from 'openid-client';
import { clientId, clientSecret, print, scope, tenant, user, workspaces } from './common.mjs';

const issuer = new URL(`https://login.microsoftonline.com/${tenant}/v2.0`);
const basic = oidc.ClientSecretBasic(clientSecret);
const config = await oidc.discovery(issuer, clientId, undefined, basic);
const { access_token } = await oidc.clientCredentialsGrant(config, { scope });

const verifier = oidc.randomPKCECodeVerifier();
const [state, nonce] = [oidc.randomState(), oidc.randomNonce()];
const url = oidc.buildAuthorizationUrl(config, {
  redirect_uri: 'http://localhost:5000/back',
  scope: `openid profile offline_access ${scope}`,
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  nonce,
});
url.searchParams.set('username', user);
const chosen = await fetch(url, { redirect: 'manual' });
const tokens = await oidc.authorizationCodeGrant(config, new URL(chosen.headers.get('location')), {
  pkceCodeVerifier: verifier,
  expectedState: state,
  expectedNonce: nonce,
});
const refreshed = await oidc.refreshTokenGrant(config, tokens.refresh_token);
print({
  bySecret: await workspaces(access_token),
  byCode: await workspaces(tokens.access_token),
  refreshed: await workspaces(refreshed.access_token),
  name: tokens.claims().preferred_username,
});
