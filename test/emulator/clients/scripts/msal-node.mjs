import { ConfidentialClientApplication, PublicClientApplication } from '@azure/msal-node';
import {
  clientId,
  clientSecret,
  control,
  password,
  print,
  scope,
  tenant,
  user,
  workspaces,
} from './common.mjs';

const authority = `https://login.microsoftonline.com/${tenant}`;
const { CERTIFICATE, CERTIFICATE_KEY, CERTIFICATE_THUMBPRINT } = process.env;

const app = (auth) => new ConfidentialClientApplication({ auth: { clientId, authority, ...auth } });
const bySecret = await app({ clientSecret }).acquireTokenByClientCredential({ scopes: [scope] });

await control('/certificates', { certificate: CERTIFICATE });
const clientCertificate = { thumbprintSha256: CERTIFICATE_THUMBPRINT, privateKey: CERTIFICATE_KEY };
const byCertificate = await app({ clientCertificate }).acquireTokenByClientCredential({ scopes: [scope] });

const pub = new PublicClientApplication({
  auth: { clientId, authority: 'https://login.microsoftonline.com/organizations' },
});
const byPassword = await pub.acquireTokenByUsernamePassword({ scopes: [scope], username: user, password });
const silent = await pub.acquireTokenSilent({
  scopes: [scope],
  account: byPassword.account,
  forceRefresh: true,
});
const byDevice = await pub.acquireTokenByDeviceCode({
  scopes: [scope],
  deviceCodeCallback: ({ userCode }) =>
    void control('/device-codes', { user_code: userCode, username: user }),
});

const confidential = app({ clientSecret });
const redirectUri = 'http://localhost:5000/back';
const url = await confidential.getAuthCodeUrl({ scopes: [scope], redirectUri, responseMode: 'query' });
const chosen = await fetch(`${url}&username=${encodeURIComponent(user)}`, { redirect: 'manual' });
const code = new URL(chosen.headers.get('location')).searchParams.get('code');
const byCode = await confidential.acquireTokenByCode({ scopes: [scope], redirectUri, code });

const refused = await app({ clientSecret: 'wrong' })
  .acquireTokenByClientCredential({ scopes: [scope] })
  .catch(({ errorCode }) => errorCode);
print({
  bySecret: await workspaces(bySecret.accessToken),
  byCertificate: await workspaces(byCertificate.accessToken),
  byPassword: await workspaces(byPassword.accessToken),
  silent: await workspaces(silent.accessToken),
  byDevice: await workspaces(byDevice.accessToken),
  byCode: await workspaces(byCode.accessToken),
  account: byCode.account.username,
  refused,
});
