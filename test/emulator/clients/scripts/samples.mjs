// The HTTP calls of Microsoft's App Owns Data samples, rewritten: sign-in, report, embed token.
import { api, clientId, clientSecret, password, print, scope, tenant, user } from './common.mjs';

const { WORKSPACE, REPORT } = process.env;
const login = 'https://login.microsoftonline.com';
const resource = 'https://analysis.windows.net/powerbi/api';

async function token(path, form) {
  const response = await fetch(login + path, { method: 'POST', body: new URLSearchParams(form) });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error_description);
  return body.access_token;
}

const servicePrincipal = () =>
  token(`/${tenant}/oauth2/v2.0/token`, {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope,
  });
const masterUser = () =>
  token('/organizations/oauth2/v2.0/token', {
    grant_type: 'password',
    client_id: clientId,
    username: user,
    password,
    scope: `openid profile offline_access ${scope}`,
  });
const v1MasterUser = async () => {
  await (await fetch(`${login}/common/UserRealm/${user}?api-version=1.0`)).json();
  return token('/common/oauth2/token', {
    grant_type: 'password',
    client_id: clientId,
    username: user,
    password,
    resource,
    scope: 'openid',
  });
};

const reportPath = `/groups/${WORKSPACE}/reports/${REPORT}`;
const v2 = (report, change = {}) => ({
  datasets: [{ id: report.datasetId }],
  reports: [{ id: report.id }],
  targetWorkspaces: [{ id: WORKSPACE }],
  ...change,
});

const samples = {
  node: async (bearer) => api(bearer, '/GenerateToken', v2(await api(bearer, reportPath))),
  python: async (bearer) => {
    const report = await api(bearer, reportPath);
    return api(bearer, '/GenerateToken', v2(report, { reports: [{ id: report.id, allowEdit: true }] }));
  },
  dotnet: async (bearer) => {
    const report = await api(bearer, reportPath);
    await api(bearer, `${reportPath}/GenerateToken`, { accessLevel: 'view' });
    const reports = [{ id: report.id, allowEdit: false }];
    return api(bearer, '/GenerateToken', v2(report, { reports }));
  },
  java: async (bearer) => {
    const { value } = await api(bearer, `/groups/${WORKSPACE}/reports`);
    const report = await api(
      bearer,
      `/groups/${WORKSPACE}/reports/${value.find(({ id }) => id === REPORT).id}`,
    );
    return api(bearer, '/GenerateToken', v2(report));
  },
};

const embedded = {};
for (const [name, sample] of Object.entries(samples)) {
  for (const [mode, signIn] of Object.entries({ servicePrincipal, masterUser, v1MasterUser })) {
    const { token: embedToken, tokenId, expiration } = await sample(await signIn());
    embedded[`${name} ${mode}`] = Boolean(embedToken && tokenId && Date.parse(expiration));
  }
}
print(embedded);
