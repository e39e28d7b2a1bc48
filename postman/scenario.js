// The requests of the collection that need a script, a certain order or certain values. `generate.js` adds every other
// operation of openapi.json, and completes these from it: method, path, parameters, body, expected status.
//
// A step names an operation by its `operationId`. Optional: `note` (after the operation's description), `query` (values of
// query parameters), `params` (variables of path parameters other than `<resource>_id`), `body`, `token` (variable of
// another access token), `status` (expected instead of the first success status), `code` (of the expected problem),
// `example` (status of the saved response where the script checks several), `before` and `test` (scripts).

/** Sends a value that is not valid when the variable is empty, so that the run shows the refusal. */
const placeholder = (name) =>
  `pm.variables.set('${name}', pm.collectionVariables.get('${name}') || 'not-a-valid-value');`;

/** Expects success only when the variable has a value. */
const successOnlyWith = (name, status, ...codes) => `
const isSet = pm.collectionVariables.get('${name}') !== '';
pm.test('responds ${status} with a value for ${name}, else with a problem', () => {
  if (isSet) pm.response.to.have.status(${status});
  else pm.expect(pm.response.json().code).to.be.oneOf(${JSON.stringify(codes).replaceAll('"', "'")});
});`;

const newPassword = "pm.variables.set('new_password', pm.variables.replaceIn('{{$guid}}-{{$guid}}'));";

const saveTokens = `
const body = pm.response.json();
pm.collectionVariables.set('access_token', body.access_token);
pm.collectionVariables.set('refresh_token', body.refresh_token);`;

const saveId = (name) => `pm.collectionVariables.set('${name}', pm.response.json().id);`;

/** Variables that the user of the collection sets, and secrets; the collection also has every variable that a script sets. */
export const variables = [
  {
    key: 'base_url',
    value: 'http://127.0.0.1:3000',
    description: 'URL of the service, without a trailing slash',
  },
  { key: 'admin_email', value: 'admin@vitrine.example', description: 'Email address of an admin' },
  { key: 'admin_password', secret: true, description: 'Password of that admin; npm start prints it' },
  { key: 'invitee_email', value: 'postman.run@vitrine.example', description: 'Address that the run invites' },
  { key: 'invitation_token', secret: true, description: 'Optional: from the mail of an invitation' },
  { key: 'reset_token', secret: true, description: 'Optional: from the mail of a password reset' },
  { key: 'login_code', secret: true, description: 'Optional: from a sign-in through the identity provider' },
  {
    key: 'code_verifier',
    value: 'example-verifier-of-at-least-43-characters-0123',
    secret: true,
    description: 'Optional: belongs to login_code',
  },
  { key: 'subject_token', secret: true, description: 'Optional: a token of the identity provider' },
  { key: 'access_token', secret: true },
  { key: 'refresh_token', secret: true },
  { key: 'service_access_token', secret: true },
  { key: 'client_secret', secret: true },
];

export const folders = [
  {
    name: 'Sign in',
    description: 'Run these first: every other request sends the `access_token` that they save.',
    steps: [
      {
        name: 'Sign in with email and password',
        operation: 'Auth_token',
        body: { email: '{{admin_email}}', password: '{{admin_password}}' },
        before: `
if (!pm.variables.get('admin_password')) {
  throw new Error('Set the variable admin_password of the collection first: npm start prints it.');
}`,
        test: `${saveTokens}
pm.test('the access token is valid for an hour', () => pm.expect(body.expires_in).to.eql(3600));`,
      },
      {
        name: 'Renew the tokens',
        operation: 'Auth_token',
        note: 'A refresh token works once: the response contains the next one.',
        body: { grant_type: 'refresh_token', refresh_token: '{{refresh_token}}' },
        test: saveTokens,
      },
      {
        name: 'Get your profile',
        operation: 'Me_get',
        test: `
const body = pm.response.json();
pm.collectionVariables.set('user_id', body.id);
pm.collectionVariables.set('user_changes', JSON.stringify({ name: body.name }));
pm.test('is an admin', () => pm.expect(body.role).to.eql('admin'));`,
      },
      {
        name: 'Sign in on a second device',
        operation: 'Auth_token',
        note: 'The tokens are not saved. The session is ended below.',
        body: { email: '{{admin_email}}', password: '{{admin_password}}' },
        test: `
pm.test('opens another session', () => {
  const current = pm.collectionVariables.get('refresh_token');
  pm.expect(pm.response.json().refresh_token).to.not.eql(current);
});`,
      },
      {
        name: 'List your sessions',
        operation: 'Sessions_list',
        test: `
const [other] = pm.response
  .json()
  .sessions.filter(({ current }) => !current)
  .sort((a, b) => b.created_at.localeCompare(a.created_at));
pm.test('contains the second device', () => pm.expect(other).to.be.an('object'));
pm.collectionVariables.set('session_id', other.id);`,
      },
      { name: 'End the session of the second device', operation: 'Sessions_end' },
      {
        name: 'Change your password',
        operation: 'OwnPassword_change',
        note: 'Sends the current password as the new one, so only your other sessions end.',
        body: { current_password: '{{admin_password}}', new_password: '{{admin_password}}' },
      },
      {
        name: 'Request a password reset',
        operation: 'Auth_token',
        note: 'The response is the same whether or not the account exists.',
        body: { grant_type: 'password_reset_request', email: '{{invitee_email}}' },
        status: 202,
      },
      {
        name: 'Preview a password reset link',
        operation: 'ResetLink_preview',
        note: 'Set `reset_token` as for the next request. Without it the service refuses.',
        body: { token: '{{reset_token}}' },
        example: 400,
        code: 'invalid_password_reset',
        before: placeholder('reset_token'),
        test: successOnlyWith('reset_token', 200, 'invalid_password_reset'),
      },
      {
        name: 'Reset a password',
        operation: 'Auth_token',
        note: 'Set `reset_token` to the value after `#token=` in the link of the mail. Without it the service refuses.',
        body: { grant_type: 'password_reset', reset_token: '{{reset_token}}', password: '{{new_password}}' },
        example: 400,
        code: 'invalid_password_reset',
        before: `${placeholder('reset_token')}\n${newPassword}`,
        test: successOnlyWith('reset_token', 204, 'invalid_password_reset'),
      },
      {
        name: 'Sign in with the code of the identity provider',
        operation: 'Auth_token',
        note: 'The last step of a sign-in that begins in the browser at `/login?code_challenge=…`. Set `login_code` and `code_verifier`. Without them the service refuses.',
        body: {
          grant_type: 'authorization_code',
          code: '{{login_code}}',
          code_verifier: '{{code_verifier}}',
        },
        example: 400,
        code: 'invalid_login_code',
        before: placeholder('login_code'),
        test: successOnlyWith('login_code', 200, 'invalid_login_code', 'platform_sign_in_missing'),
      },
      {
        name: 'Exchange a token of the identity provider',
        operation: 'Auth_token',
        note: 'For a portal backend. Set `subject_token` to a JWT that the provider issued for this service. Without it the service refuses.',
        body: {
          grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
          subject_token: '{{subject_token}}',
          subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        },
        example: 400,
        code: 'invalid_subject_token',
        before: placeholder('subject_token'),
        test: successOnlyWith('subject_token', 200, 'invalid_subject_token', 'platform_sign_in_missing'),
      },
    ],
  },
  {
    name: 'Catalogue',
    steps: [
      {
        name: 'Request a sync',
        operation: 'Syncs_request',
        test: `${saveId('sync_id')}\npm.collectionVariables.set('sync_polls', 0);`,
      },
      {
        name: 'Wait for the sync',
        operation: 'Syncs_get',
        note: 'A run repeats this request every half second, for at most a minute.',
        test: `
const run = pm.response.json();
const polls = Number(pm.collectionVariables.get('sync_polls'));
if (run.finished_at === null && polls < 120) {
  pm.collectionVariables.set('sync_polls', polls + 1);
  pm.execution.setNextRequest(pm.info.requestId);
  setTimeout(() => {}, 500);
} else {
  pm.test('the sync succeeded', () => pm.expect(run.status).to.be.oneOf(['succeeded', 'partial']));
}`,
      },
      {
        name: 'List datasets',
        operation: 'Datasets_list',
        test: `
const { datasets } = pm.response.json();
const restricted = datasets.filter(({ identity_required }) => identity_required);
const chosen =
  datasets.find(({ identity_policy }) => identity_policy) ?? restricted[0] ?? datasets[0];
pm.test('contains a dataset', () => pm.expect(chosen).to.be.an('object'));
pm.collectionVariables.set('dataset_id', chosen.id);
pm.collectionVariables.set('protected_datasets', JSON.stringify(restricted.map(({ pbi_dataset_id }) => pbi_dataset_id)));`,
      },
      {
        name: 'Get a dataset',
        operation: 'Datasets_get',
        test: `
const policy = pm.response.json().identity_policy ?? { username: '{{email}}', roles: [] };
pm.collectionVariables.set('identity_policy', JSON.stringify(policy));`,
      },
      {
        name: 'Remove the identity policy',
        operation: 'Datasets_clearPolicy',
        note: 'The next request restores it.',
        test: "pm.test('has no policy', () => pm.expect(pm.response.json().identity_policy).to.eql(null));",
      },
      {
        name: 'Set the identity policy',
        operation: 'Datasets_setPolicy',
        note: 'Sends the policy that the dataset had; if it had none, `{"username": "{{email}}", "roles": []}`.',
        body: '{{identity_policy}}',
        test: `
pm.test('has the policy that was sent', () => {
  const sent = JSON.parse(pm.collectionVariables.get('identity_policy'));
  pm.expect(pm.response.json().identity_policy.username).to.eql(sent.username);
});`,
      },
      {
        name: 'List reports',
        operation: 'Reports_list',
        test: `
const restricted = JSON.parse(pm.collectionVariables.get('protected_datasets'));
const chosen = pm.response
  .json()
  .reports.find(
    (report) => report.report_type === 'PowerBIReport' && !restricted.includes(report.pbi_dataset_id),
  );
pm.test('contains a report that requires no identity', () => pm.expect(chosen).to.be.an('object'));
pm.collectionVariables.set('report_id', chosen.id);
pm.collectionVariables.set('workspace_id', chosen.workspace_id);`,
      },
      { name: 'Generate an embed token', operation: 'Embed_embed', body: { access: 'view' } },
      {
        name: 'Check whether a report can be embedded',
        operation: 'EmbedCheck_check',
        query: { user_id: '{{user_id}}' },
        test: "pm.test('it can', () => pm.expect(pm.response.json().embeds).to.eql(true));",
      },
      {
        name: 'Explain the access to a report',
        operation: 'Access_explain',
        test: `
pm.test('an admin has access', () => {
  pm.expect(pm.response.json()).to.include({ allowed: true, reason: 'admin' });
});`,
      },
    ],
  },
  {
    name: 'Service accounts',
    description: 'The account gets access to one workspace. *Clean up* deletes it.',
    steps: [
      {
        name: 'Create a service account',
        operation: 'ServiceAccounts_create',
        body: { name: 'Postman run', role: 'member', expires_in_days: 1 },
        test: `
const body = pm.response.json();
pm.collectionVariables.set('service_account_id', body.id);
pm.collectionVariables.set('client_secret', body.client_secret);
pm.collectionVariables.set('secret_id', body.secrets[0].id);`,
      },
      {
        name: 'Get a service account',
        operation: 'ServiceAccounts_get',
        test: `
pm.test('contains no secret', () => {
  pm.expect(pm.response.text()).to.not.include(pm.collectionVariables.get('client_secret'));
});`,
      },
      {
        name: 'Rename a service account',
        operation: 'ServiceAccounts_update',
        body: { name: 'Postman run, renamed' },
        test: "pm.test('has its new name', () => pm.expect(pm.response.json().name).to.eql('Postman run, renamed'));",
      },
      {
        name: 'Create a second secret',
        operation: 'ServiceAccounts_rotate',
        body: { expires_in_days: 1 },
        test: "pm.collectionVariables.set('client_secret', pm.response.json().client_secret);",
      },
      { name: 'Revoke the first secret', operation: 'ServiceAccounts_revoke' },
      {
        name: 'Sign in as the service account',
        operation: 'Auth_token',
        note: 'A service account gets no refresh token: it signs in again with its secret.',
        body: {
          grant_type: 'client_credentials',
          client_id: '{{service_account_id}}',
          client_secret: '{{client_secret}}',
        },
        test: `
const body = pm.response.json();
pm.collectionVariables.set('service_access_token', body.access_token);
pm.test('gets no refresh token', () => pm.expect(body).to.not.have.property('refresh_token'));`,
      },
      {
        name: 'Add the account to the workspace',
        operation: 'Members_set',
        params: { user_id: 'service_account_id' },
        body: { role: 'viewer' },
        test: "pm.test('is a viewer', () => pm.expect(pm.response.json().role).to.eql('viewer'));",
      },
      {
        name: 'List reports as the service account',
        operation: 'Reports_list',
        token: 'service_access_token',
        test: `
const { reports } = pm.response.json();
const granted = pm.collectionVariables.get('workspace_id');
pm.test('sees the workspace', () => pm.expect(reports).to.not.be.empty);
pm.test('sees no other workspace', () => {
  pm.expect(reports.filter(({ workspace_id }) => workspace_id !== granted)).to.be.empty;
});`,
      },
      {
        name: 'List the grants of the account',
        operation: 'HeldGrants_ofUser',
        params: { id: 'service_account_id' },
        test: `
pm.test('names the workspace', () => {
  const [grant] = pm.response.json().grants;
  pm.expect(grant.workspace_id).to.eql(pm.collectionVariables.get('workspace_id'));
  pm.expect(grant.workspace_name).to.not.be.empty;
});`,
      },
      {
        name: 'Block embedding for the account',
        operation: 'EmbedGrants_revoke',
        body: { user_id: '{{service_account_id}}', reason: 'Postman run' },
        test: saveId('revocation_id'),
      },
      {
        name: 'Request an embed token while embedding is blocked',
        operation: 'Embed_embed',
        token: 'service_access_token',
        body: {},
        status: 403,
        code: 'embed_access_revoked',
      },
      {
        name: 'Remove the block',
        operation: 'EmbedGrants_lift',
      },
      {
        name: 'List the sessions of the account',
        operation: 'Accounts_sessions',
        params: { id: 'service_account_id' },
        test: "pm.test('is signed in', () => pm.expect(pm.response.json().sessions).to.not.be.empty);",
      },
      {
        name: 'End all sessions of the account',
        operation: 'Accounts_endSessions',
        params: { id: 'service_account_id' },
      },
    ],
  },
  {
    name: 'Users and invitations',
    steps: [
      {
        name: 'Change a user',
        operation: 'Accounts_update',
        note: 'Sends your current name, so nothing changes.',
        body: '{{user_changes}}',
      },
      {
        name: 'Link an identity',
        operation: 'Identities_link',
        note: 'Without an identity provider the service responds 404.',
        body: { subject: 'postman-run' },
        example: 201,
        test: `
const isLinked = pm.response.code === 201;
pm.test('responds 201, or 404 without an identity provider', () => {
  if (!isLinked) pm.expect(pm.response.json().code).to.eql('platform_sign_in_missing');
});
const none = '00000000-0000-0000-0000-000000000000';
pm.collectionVariables.set('identity_id', isLinked ? pm.response.json().id : none);`,
      },
      {
        name: 'Erase a user',
        operation: 'Accounts_erase',
        note: 'Sent for yourself: the service refuses to erase an active user.',
        status: 409,
        code: 'user_not_disabled',
      },
      {
        name: 'Invite a user',
        operation: 'Invite_invite',
        body: {
          email: '{{invitee_email}}',
          name: 'Postman Run',
          workspaces: [{ workspace_id: '{{workspace_id}}', role: 'viewer' }],
        },
        status: 201,
        test: saveId('invitation_id'),
      },
      {
        name: 'Get an invitation',
        operation: 'Invitations_get',
        test: "pm.test('is pending', () => pm.expect(pm.response.json().status).to.eql('pending'));",
      },
      {
        name: 'Resend an invitation',
        operation: 'Invitations_resend',
        note: 'An address gets at most one email per minute, so a run gets 429.',
        example: 429,
        code: 'rate_limited',
        test: `
pm.test('responds 200 or 429', () => pm.expect(pm.response.code).to.be.oneOf([200, 429]));
pm.test('429 has the seconds to wait', () => {
  if (pm.response.code === 429) pm.response.to.have.header('Retry-After');
});`,
      },
      {
        name: 'Preview an invitation',
        operation: 'InvitationPreview_preview',
        note: 'Set `invitation_token` as for the next request. Without it the service refuses.',
        body: { token: '{{invitation_token}}' },
        example: 400,
        code: 'invalid_invitation',
        before: placeholder('invitation_token'),
        test: successOnlyWith('invitation_token', 200, 'invalid_invitation'),
      },
      {
        name: 'Accept an invitation',
        operation: 'Auth_token',
        note: 'Set `invitation_token` to the value after `#token=` in the link of the mail. Without it the service refuses.',
        body: {
          grant_type: 'invitation',
          invitation_token: '{{invitation_token}}',
          password: '{{new_password}}',
        },
        example: 400,
        code: 'invalid_invitation',
        before: `${placeholder('invitation_token')}\n${newPassword}`,
        test: successOnlyWith('invitation_token', 200, 'invalid_invitation'),
      },
      {
        name: 'List audit events',
        operation: 'Audit_list',
        query: { actor_id: '{{user_id}}', limit: '100' },
        test: `
pm.test('contains an event of this run', () => {
  pm.expect(pm.response.text()).to.include(pm.collectionVariables.get('invitation_id'));
});`,
      },
    ],
  },
];

/** Runs last, after the generated requests. */
export const cleanUp = {
  name: 'Clean up',
  description: 'Removes what the run created.',
  steps: [
    { name: 'Revoke the invitation', operation: 'Invitations_revoke' },
    {
      name: 'Unlink the identity',
      operation: 'Identities_unlink',
      example: 204,
      test: `
const isLinked = !/^[0-]+$/.test(pm.collectionVariables.get('identity_id'));
pm.test('responds 204, or 404 if none was linked', () => pm.response.to.have.status(isLinked ? 204 : 404));`,
    },
    {
      name: 'Remove the account from the workspace',
      operation: 'Members_remove',
      params: { user_id: 'service_account_id' },
    },
    { name: 'Delete the service account', operation: 'ServiceAccounts_remove' },
    { name: 'End your other sessions', operation: 'Sessions_endOthers' },
    {
      name: 'Sign out',
      operation: 'Sessions_logout',
      test: `
for (const name of ['access_token', 'refresh_token', 'service_access_token', 'client_secret']) {
  pm.collectionVariables.set(name, '');
}
pm.execution.setNextRequest(null);`,
    },
  ],
};
