import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { asRouted, type CallerName, callers, type Row, rows } from './routes.table.js';
import type { Client } from './support/client.js';
import { countConnections } from './support/connection-count.js';
import { password } from './support/factory.js';
import { withPortal } from './support/portal.js';
import { routesOf } from './support/routes.js';
import { type Service, startService } from './support/service.js';

/** Of the emulator's demo content, where it has them: embedding succeeds, and a sync changes nothing. */
const pbiWorkspaceId = 'a0000001-0000-4000-8000-000000000000';
const revenue = {
  pbiReportId: 'b0000001-0000-4000-8000-000000000001',
  pbiDatasetId: 'c0000001-0000-4000-8000-000000000001',
};

/** A receiver of webhooks that refuses connections. */
const closedPort = '127.0.0.1:9';

let service: Service;
let workspace: Workspace;
let people: Record<Exclude<CallerName, 'anyone'>, User>;
let ids: Record<string, string>;
let inviter: Client;
const signedIn = new Map<CallerName, Client>();
let connectionsOf: (requestId: string) => number;

beforeAll(async () => {
  service = await startService(
    { DOCS_ENABLED: 'false', RATE_LIMIT_API_PER_MINUTE: '0', WEBHOOK_ALLOWED_HOSTS: closedPort },
    withPortal(),
  );
  connectionsOf = countConnections(service.database);
  const { factory } = service;
  workspace = await factory.workspace({ pbiWorkspaceId });
  const granted = async (role: 'viewer' | 'editor' | 'manager') => {
    const user = await factory.user();
    await factory.grant(user, workspace, role);
    return user;
  };
  people = {
    member: await factory.user(),
    viewer: await granted('viewer'),
    editor: await granted('editor'),
    manager: await granted('manager'),
    admin: await factory.admin(),
  };
  inviter = await service.as(await factory.admin());
  ids = {
    workspace_id: workspace.id,
    report_id: (await factory.report(workspace, revenue)).id,
    dataset_id: (await factory.dataset(workspace, { pbiDatasetId: revenue.pbiDatasetId })).id,
    sync_id: (await inviter.post<{ id: string }>('/api/syncs')).body.id,
    session_id: uuidv7(),
    identity_id: uuidv7(),
    export_id: uuidv7(),
    delivery_id: uuidv7(),
  };
});
afterAll(() => service.close());

const sharedView = { name: 'Europe', scope: 'shared', state: 'H4sI' };

async function insertView(): Promise<string> {
  const id = uuidv7();
  await service.database.query(
    `INSERT INTO saved_views (id, report_id, name, scope, state, created_at, updated_at)
     VALUES ($1, $2, 'Europe', 'shared', 'H4sI', now(), now())`,
    [id, ids.report_id],
  );
  return id;
}

async function requestAccess(): Promise<string> {
  const id = uuidv7();
  await service.database.query(
    `INSERT INTO access_requests (id, requester_id, target_type, target_id, workspace_id, created_at)
     VALUES ($1, $2, 'workspace', $3, $3, now())`,
    [id, (await service.factory.user()).id, workspace.id],
  );
  return id;
}

async function invite(): Promise<string> {
  const { body } = await inviter.post<{ id: string }>('/api/users/invite', {
    email: `invited-${uuidv7()}@example.com`,
    workspaces: [{ workspace_id: workspace.id, role: 'viewer' }],
  });
  await service.database.query(`UPDATE invitations SET mailed_at = mailed_at - interval '2 minutes'`);
  return body.id;
}

/** Their number is limited. */
const removeWebhooks = () => service.database.query('DELETE FROM webhooks');

async function addWebhook(): Promise<string> {
  await removeWebhooks();
  return (await inviter.post<{ id: string }>('/api/webhooks', { url: `http://${closedPort}/` })).body.id;
}

/** What requests may change is made anew for each that names it in its path. */
async function freshIds(url: string): Promise<Record<string, string>> {
  const { factory } = service;
  const made: Record<string, string> = { ...ids };
  const member = await factory.user();
  const makeOnce: Record<string, () => Promise<string>> = {
    user_id: async () => {
      await factory.grant(member, workspace);
      return member.id;
    },
    disabled_id: async () => (await factory.user({ status: 'disabled' })).id,
    service_account_id: async () => {
      const { body } = await inviter.post<{ id: string; secrets: [{ id: string }] }>(
        '/api/service-accounts',
        { name: 'Nightly' },
      );
      made.secret_id = body.secrets[0].id;
      return body.id;
    },
    outer_group_id: async () => {
      const inner = await factory.group();
      made.group_id = inner.id;
      return (await factory.group({}, [member, inner])).id;
    },
    group_id: async () => (await factory.group()).id,
    webhook_id: addWebhook,
    invitation_id: invite,
    revocation_id: async () =>
      (await inviter.post<{ id: string }>('/api/embed-grants/revoke', revoked())).body.id,
    view_id: insertView,
    access_request_id: requestAccess,
  };
  for (const [name, make] of Object.entries(makeOnce))
    if (url.includes(`:${name}`)) made[name] ??= await make();
  return made;
}

/** Takes from nobody what the table says. */
const revoked = () => ({ user_id: people.member.id, workspace_id: workspace.id });

const bodies = (): Record<string, object> => ({
  'POST /api/access-requests': { workspace_id: workspace.id },
  'POST /api/auth/token': { email: people.member.email, password },
  'POST /login/password-reset/preview': { token: 'made-up' },
  'POST /login/invitation/preview': { token: 'made-up' },
  'PATCH /api/users/me': { locale: 'de' },
  'PUT /api/users/me/password': { current_password: password, new_password: password },
  'POST /api/usage/events': { events: [{}] },
  'POST /api/users/:user_id/identities': { subject: 'somebody' },
  'PATCH /api/users/:user_id': { name: 'Renamed' },
  'POST /api/users/invite': {
    email: `new-${uuidv7()}@example.com`,
    workspaces: [{ workspace_id: workspace.id, role: 'viewer' }],
  },
  'POST /api/invitations/bulk': {
    users: [{ email: `bulk-${uuidv7()}@example.com` }],
    workspaces: [{ workspace_id: workspace.id, role: 'viewer' }],
  },
  'POST /api/service-accounts': { name: 'Weekly' },
  'PATCH /api/service-accounts/:service_account_id': { name: 'Monthly' },
  'POST /api/webhooks': { url: `http://${closedPort}/` },
  'PATCH /api/webhooks/:webhook_id': { types: [] },
  'POST /api/webhooks/:webhook_id/redeliver': { from: '2026-01-01', to: '2026-01-02' },
  'POST /api/groups': { name: `Group ${uuidv7()}` },
  'PATCH /api/groups/:outer_group_id': { description: 'All of them' },
  'POST /api/groups/:outer_group_id/members': { users: [people.member.id] },
  'PUT /api/workspaces/:workspace_id/members/:user_id': { role: 'editor' },
  'PUT /api/workspaces/:workspace_id/grants/users/:user_id': { role: 'editor' },
  'PUT /api/workspaces/:workspace_id/grants/groups/:group_id': { role: 'editor' },
  'PUT /api/reports/:report_id/grants/users/:user_id': { role: 'editor' },
  'PUT /api/reports/:report_id/grants/groups/:group_id': { role: 'editor' },
  'PUT /api/datasets/:dataset_id/identity-policy': { username: '{{email}}' },
  'PUT /api/settings/onboarding': { dismissed: false },
  'POST /api/embed-grants/revoke': revoked(),
  'POST /api/reports/:report_id/views': sharedView,
  'PATCH /api/reports/:report_id/views/:view_id': { name: 'Asia' },
  'PATCH /api/workspaces/:workspace_id/settings': { viewers_can_export: false },
  'POST /api/reports/:report_id/exports': { format: 'PDF' },
  'POST /api/reports/:report_id/embed-token': { access: 'edit' },
});

const queries: Record<string, string> = {
  'GET /api/access/explain': '?user_id=:user_id&report_id=:report_id',
};

/** Signed in once, but for what ends sessions. */
async function clientOf(caller: CallerName, path: string): Promise<Client> {
  if (caller === 'anyone') return service.api;
  const known = signedIn.get(caller);
  if (known !== undefined && !/^\/api\/(auth|users\/me)\//.test(path)) return known;
  const client = await service.as(people[caller]);
  signedIn.set(caller, client);
  return client;
}

/** Returns the status, and the most connections of the pool that the request used at the same time. */
async function send({ method, path }: Row, caller: CallerName) {
  const client = await clientOf(caller, path);
  const name = `${method} ${path}`;
  const template = `${path}${queries[name] ?? ''}`;
  const params = await freshIds(template);
  if (name === 'POST /api/webhooks') await removeWebhooks();
  const url = template.replaceAll(/:(\w+)/g, (_whole, key: string) => params[key] ?? '');
  const id = uuidv7();
  const { status } = await client.send(method, url, {
    body: bodies()[name],
    headers: { 'x-request-id': id },
  });
  return { status, connections: connectionsOf(id) };
}

/** A change may need a second one for what is recorded also if it is undone, and figures for a slow rollup that continues. */
const mostConnections = ({ method, path }: Row): number =>
  method === 'GET' && !path.startsWith('/api/usage/') ? 1 : 2;

describe('the table of routes', () => {
  test('AZ-02 has every route of the router, and no other', () => {
    expect(rows.map(asRouted).toSorted()).toEqual(routesOf(service.app));
  });

  test('AZ-02 has a status for every kind of caller', () => {
    for (const { path, statuses } of rows) {
      expect({ path, known: Object.values(statuses).filter((status) => status >= 200) }).toEqual({
        path,
        known: Object.values(statuses),
      });
    }
  });

  test('AZ-01 allows only the token request under /api without a token', () => {
    const open = rows.filter(({ path, statuses }) => path.startsWith('/api/') && statuses.anyone !== 401);
    expect(open.map(asRouted)).toEqual(['POST /api/auth/token']);
  });
});

describe.each(rows)('AZ-02 and LOAD-04, at most two connections: $method $path', (row) => {
  test.each(callers)('as %s', async (caller) => {
    const { status, connections } = await send(row, caller);
    expect(status).toBe(row.statuses[caller]);
    expect(connections).toBeLessThanOrEqual(mostConnections(row));
  });
});
