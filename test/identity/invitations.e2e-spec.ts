import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Body {
  id: string;
  email: string;
  status: string;
  code?: string;
  detail?: string;
  workspaces: { workspace_id: string; role: string }[];
}

let service: Service;
let sales: Workspace;
let other: Workspace;
let admin: Client;
let manager: Client;
let count = 0;
let email: string;

beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_INVITATIONS_PER_HOUR: '30',
    RATE_LIMIT_BULK_INVITATIONS_PER_DAY: '35',
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  email = `guest-${(count += 1)}@example.com`;
  sales = await service.factory.workspace();
  other = await service.factory.workspace();
  admin = await service.asAdmin();
  manager = await service.asMember(sales, 'manager');
});

const into = (...workspaces: Workspace[]) => ({
  workspaces: workspaces.map(({ id }) => ({ workspace_id: id, role: 'viewer' })),
});
const invite = (by: Client, more: object = {}) => by.post<Body>('/api/users/invite', { email, ...more });
const list = async (by: Client, query = '') =>
  (await by.get<{ invitations: Body[] }>(`/api/invitations${query}`)).body.invitations;
const accept = (invitation_token: string) =>
  service.api.post<Body>('/api/auth/token', {
    grant_type: 'invitation',
    invitation_token,
    password: 'a long enough password',
  });

describe('GET /api/invitations', () => {
  test('200: an admin sees all, a manager those that concern only their workspaces', async () => {
    const inside = await invite(admin, into(sales));
    email = `wide-${email}`;
    await invite(admin, into(sales, other));
    email = `bare-${email}`;
    await invite(admin);
    expect((await list(manager)).map(({ id }) => id)).toEqual([inside.body.id]);
    expect((await list(admin)).length).toBeGreaterThanOrEqual(3);
    expect(await list(await service.asMember(sales, 'editor'))).toEqual([]);
  });

  test('200: filtered by delivery', async () => {
    const { body } = await invite(admin);
    await service.waitForJobs();
    expect((await list(admin, `?delivery=sent&q=${email}`)).map(({ id }) => id)).toEqual([body.id]);
    expect(await list(admin, `?delivery=failed&q=${email}`)).toEqual([]);
    expect((await admin.get('/api/invitations?delivery=lost')).status).toBe(400);
  });

  test('200: filtered by status and search, in pages', async () => {
    const { body } = await invite(admin);
    expect((await list(admin, `?status=pending&q=${email}`)).map(({ id }) => id)).toEqual([body.id]);
    expect(await list(admin, `?status=accepted&q=${email}`)).toEqual([]);
    service.clock.advance(72 * 3600 + 1);
    admin = await service.asAdmin();
    expect(await list(admin, `?status=pending&q=${email}`)).toEqual([]);
    expect(await list(admin, `?status=expired&q=${email}`)).toMatchObject([{ status: 'expired' }]);
    expect((await admin.get('/api/invitations?status=open')).status).toBe(400);
    expect((await admin.get('/api/invitations?limit=1')).headers.get('link')).toContain('rel="next"');
  });
});

describe('GET /api/invitations/:id', () => {
  test('AZ-03 200 with access, otherwise the same 404 as for an unknown id', async () => {
    const { body } = await invite(admin, into(other));
    expect((await admin.get<Body>(`/api/invitations/${body.id}`)).body.email).toBe(email);
    const foreign = await manager.get<Body>(`/api/invitations/${body.id}`);
    const unknown = await manager.get<Body>(`/api/invitations/${uuidv7()}`);
    expect([foreign.status, foreign.body.code, foreign.body.detail]).toEqual([
      404,
      unknown.body.code,
      unknown.body.detail,
    ]);
  });
});

describe('POST /api/invitations/:id/resend', () => {
  test('AUTH-27 200: a new link; the older one is void', async () => {
    const { body } = await invite(manager, into(sales));
    const older = await service.mailbox.secretFor(email);
    service.clock.advance(61);
    expect(await manager.post(`/api/invitations/${body.id}/resend`)).toMatchObject({
      status: 200,
      body: { id: body.id, status: 'pending', delivery: 'queued' },
    });
    const newer = await service.mailbox.nextSecretFor(email, older);
    expect((await accept(older)).body.code).toBe('invalid_invitation');
    expect((await accept(newer)).status).toBe(200);
  });

  test('AUTH-28 429: within a minute of the last email, with Retry-After', async () => {
    const { body } = await invite(manager, into(sales));
    const response = await manager.post(`/api/invitations/${body.id}/resend`);
    expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(55);
  });

  test('404 for an invitation of another workspace, 409 for one that is not pending', async () => {
    const { body } = await invite(admin, into(other));
    expect((await manager.post(`/api/invitations/${body.id}/resend`)).status).toBe(404);
    await accept(await service.mailbox.secretFor(email));
    expect(await admin.post(`/api/invitations/${body.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'invitation_not_pending' },
    });
  });
});

describe('DELETE /api/invitations/:id', () => {
  test('204: using the link returns invitation_revoked', async () => {
    const { body } = await invite(manager, into(sales));
    const secret = await service.mailbox.secretFor(email);
    expect((await manager.delete(`/api/invitations/${body.id}`)).status).toBe(204);
    expect((await accept(secret)).body.code).toBe('invitation_revoked');
    expect((await manager.delete(`/api/invitations/${body.id}`)).status).toBe(409);
  });

  test('204: an expired invitation is revoked then, but its link remains expired', async () => {
    const { body } = await invite(admin, into(sales));
    const secret = await service.mailbox.secretFor(email);
    service.clock.advance(72 * 3600 + 1);
    admin = await service.asAdmin();
    expect((await admin.delete(`/api/invitations/${body.id}`)).status).toBe(204);
    expect(await list(admin, `?status=expired&q=${email}`)).toEqual([]);
    expect(await list(admin, `?status=revoked&q=${email}`)).toMatchObject([{ status: 'revoked' }]);
    expect((await admin.get<Body>(`/api/invitations/${body.id}`)).body.status).toBe('revoked');
    expect((await accept(secret)).body.code).toBe('invitation_expired');
  });

  test('RACE-02: of a concurrent acceptance and revocation one succeeds', async () => {
    for (let round = 0; round < 5; round += 1) {
      email = `race-${round}-${email}`;
      const { body } = await invite(admin);
      const secret = await service.mailbox.secretFor(email);
      const [accepted, revoked] = await Promise.all([
        accept(secret),
        admin.delete(`/api/invitations/${body.id}`),
      ]);
      expect([
        [200, 409],
        [400, 204],
      ]).toContainEqual([accepted.status, revoked.status]);
    }
  });
});

describe('no privilege escalation', () => {
  test("AUTH-32: a manager who adds a grant to another inviter's invitation sees none of it and gets no link", async () => {
    const { body } = await invite(admin, { role: 'admin', name: 'Secret Name', ...into(other) });
    const secret = await service.mailbox.secretFor(email);
    service.clock.advance(61);
    const response = await invite(manager, into(sales));
    expect(response).toMatchObject({ status: 201, body: { name: null, role: 'member' } });
    expect(response.body.workspaces.map(({ workspace_id }) => workspace_id)).toEqual([sales.id]);
    expect(response.body).not.toHaveProperty('accept_url');
    expect(response.body.id).not.toBe(body.id);
    expect((await manager.get(`/api/invitations/${body.id}`)).status).toBe(404);
    expect((await manager.delete(`/api/invitations/${body.id}`)).status).toBe(404);
    expect((await accept(secret)).status).toBe(200);
    const { body: own } = await manager.get<Body>(`/api/invitations/${response.body.id}`);
    expect(own.status).toBe('accepted');
    const grants = await service.database.query(
      'SELECT FROM grants JOIN users ON users.id = user_id WHERE email = $1',
      [email],
    );
    expect(grants).toHaveLength(2);
  });

  test('AUTH-32: an invitation without workspaces belongs to its inviter only', async () => {
    const { body } = await invite(admin);
    service.clock.advance(61);
    await invite(manager, into(sales));
    expect((await manager.delete(`/api/invitations/${body.id}`)).status).toBe(404);
    expect((await manager.post(`/api/invitations/${body.id}/resend`)).status).toBe(404);
  });

  test('AUTH-32: grants that the inviter may no longer give are omitted at acceptance', async () => {
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    await service.factory.grant(chief, other, 'manager');
    await invite(await service.as(chief), into(sales, other));
    const secret = await service.mailbox.secretFor(email);
    await admin.delete(`/api/workspaces/${sales.id}/members/${chief.id}`);
    expect((await accept(secret)).status).toBe(200);
    const grants = await service.database.query(
      'SELECT workspace_id FROM grants JOIN users ON users.id = user_id WHERE email = $1',
      [email],
    );
    expect(grants).toEqual([{ workspace_id: other.id }]);
  });

  test('AUTH-32: the invitation of a former manager is void', async () => {
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    await invite(await service.as(chief), into(sales));
    const secret = await service.mailbox.secretFor(email);
    await admin.delete(`/api/workspaces/${sales.id}/members/${chief.id}`);
    expect((await accept(secret)).body.code).toBe('invitation_revoked');
  });

  test('AUTH-32: the invitation of a demoted or disabled inviter is void', async () => {
    const chief = await service.factory.admin();
    await invite(await service.as(chief), { role: 'admin' });
    const secret = await service.mailbox.secretFor(email);
    await admin.patch(`/api/users/${chief.id}`, { role: 'member' });
    expect((await accept(secret)).body.code).toBe('invitation_revoked');
  });

  const revocationsOf = async (id: string) =>
    (
      await admin.get<{ audit_events: object[] }>(
        `/api/audit-events?action=invitation_revoked&target_id=${id}`,
      )
    ).body.audit_events;

  test('OBS-01: an invitation that its inviter may no longer manage is replaced, which is audited', async () => {
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    await service.factory.grant(chief, other, 'manager');
    const asChief = await service.as(chief);
    const { body } = await invite(asChief, into(sales, other));
    await admin.delete(`/api/workspaces/${other.id}/members/${chief.id}`);
    expect((await invite(asChief, into(sales))).status).toBe(201);
    expect((await admin.get(`/api/invitations/${body.id}`)).body).toMatchObject({ status: 'revoked' });
    expect(await revocationsOf(body.id)).toMatchObject([{ actor: { id: chief.id } }]);
  });

  test('OBS-01: an invitation of an account that confers nothing any more is revoked, which is audited', async () => {
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    const ada = await service.factory.user();
    ({ email } = ada);
    const { body } = await invite(await service.as(chief), into(sales));
    await admin.delete(`/api/workspaces/${sales.id}/members/${chief.id}`);
    await service.as(ada);
    expect(await revocationsOf(body.id)).toMatchObject([{ actor: null }]);
  });

  test('AUTH-28 429: after thirty emails per hour and inviter, with Retry-After', async () => {
    const address = email;
    for (let index = 0; index < 30; index += 1) {
      email = `${index}-${address}`;
      expect((await invite(admin)).status).toBe(201);
    }
    email = `31-${address}`;
    const response = await invite(admin);
    expect(response).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await invite(await service.asAdmin())).status).toBe(201);
    service.clock.advance(3601);
    email = `32-${address}`;
    expect((await invite(await service.asAdmin())).status).toBe(201);
  });

  test('an admin reactivates a disabled user, a manager does not', async () => {
    const ada = await service.factory.user({ status: 'disabled' });
    email = ada.email;
    expect((await invite(manager, into(sales))).status).toBe(201);
    expect((await admin.get(`/api/users/${ada.id}`)).body).toMatchObject({ status: 'disabled' });
    expect((await invite(admin, into(sales))).status).toBe(201);
    expect((await accept(await service.mailbox.nextSecretFor(email, ''))).status).toBe(200);
    expect(await list(admin, `?status=accepted&q=${email}`)).toHaveLength(2);
    expect((await admin.get(`/api/users/${ada.id}`)).body).toMatchObject({ status: 'active', email });
  });
});

test('a disabled user keeps a grant that was given after the accepted invitation', async () => {
  const ada = await service.factory.user({ status: 'disabled' });
  email = ada.email;
  expect((await invite(admin, into(sales, other))).status).toBe(201);
  service.clock.advance(1);
  const member = `/api/workspaces/${sales.id}/members/${ada.id}`;
  expect((await admin.put(member, { role: 'editor' })).status).toBe(200);
  expect((await accept(await service.mailbox.secretFor(email))).status).toBe(200);
  const roleIn = async ({ id }: Workspace) => {
    const { body } = await admin.get<{ members: { user_id: string; role: string }[] }>(
      `/api/workspaces/${id}/members`,
    );
    return body.members.find((member) => member.user_id === ada.id)?.role;
  };
  expect([await roleIn(sales), await roleIn(other)]).toEqual(['editor', 'viewer']);
});

describe('concurrent requests', () => {
  test('RACE-01: 50 invitations of one address: one pending invitation, one email', async () => {
    const responses = await Promise.all(Array.from({ length: 50 }, () => invite(admin)));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    await service.mailbox.secretFor(email);
    await service.waitForJobs();
    expect(await service.mailbox.mailsTo(email)).toHaveLength(1);
  });

  test('RACE-03: 20 acceptances: one account', async () => {
    await invite(admin);
    const secret = await service.mailbox.secretFor(email);
    const responses = await Promise.all(Array.from({ length: 20 }, () => accept(secret)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    const spent = responses.filter(({ status }) => status === 400);
    expect(new Set(spent.map(({ body }) => body.code))).toEqual(new Set(['invitation_accepted']));
    const [{ users }] = await service.database.query(
      'SELECT count(*)::int AS users FROM users WHERE email = $1',
      [email],
    );
    expect(users).toBe(1);
  });
});

describe('POST /api/invitations/bulk', () => {
  interface Results {
    results: { email: string; created?: boolean; invitation?: Body; problem?: Problem }[];
  }
  interface Problem {
    code: string;
    detail: string;
    retry_after?: number;
  }
  const inviteAll = (by: Client, users: { email: string; name?: string }[], more: object = {}) =>
    by.post<Results>('/api/invitations/bulk', { users, ...into(sales), ...more });

  test('200: each line is invited, renewed, granted the access or refused with its reason', async () => {
    const member = await service.factory.user({ name: 'Member' });
    const holder = await service.factory.user();
    await service.factory.grant(holder, sales, 'viewer');
    const disabled = await service.factory.user({ status: 'disabled' });
    const { status, body } = await inviteAll(manager, [
      { email: `Ada-${email}`, name: 'Ada' },
      { email: 'no address' },
      { email: holder.email },
      { email: `ada-${email}` },
      { email: `name-${email}`, name: 'https://example.com' },
    ]);
    expect(status).toBe(200);
    expect(body.results).toMatchObject([
      {
        email: `Ada-${email}`,
        created: true,
        invitation: { email: `ada-${email}`, name: 'Ada', ...into(sales) },
      },
      { email: 'no address', problem: { code: 'invalid_request' } },
      { email: holder.email, problem: { code: 'already_has_access' } },
      { email: `ada-${email}`, invitation: { id: body.results[0]?.invitation?.id } },
      { email: `name-${email}`, problem: { code: 'invalid_request' } },
    ]);
    expect(body.results[1]?.problem?.detail).toContain('email');
    expect(body.results[4]?.problem?.detail).toContain('name');
    const byAdmin = await inviteAll(admin, [{ email: member.email }, { email: disabled.email }]);
    expect(byAdmin.body.results).toMatchObject([
      { created: false, invitation: { status: 'accepted' } },
      { invitation: { status: 'pending' } },
    ]);
    await service.waitForJobs();
    expect(await list(admin, `?delivery=sent&q=ada-${email}`)).toHaveLength(1);
  });

  /** In parts, so that a slow machine starts every line in time. */
  const inviteInParts = async (by: Client, count: number) => {
    const results: Results['results'] = [];
    for (let from = 0; from < count; from += 8) {
      const users = Array.from({ length: Math.min(8, count - from) }, (_, index) => ({
        email: `many-${from + index}-${email}`,
      }));
      results.push(...(await inviteAll(by, users)).body.results);
    }
    return results;
  };

  test('200: the role of a line replaces that of the list, within the rights of the caller', async () => {
    const report = await service.factory.report(sales);
    const editors = {
      workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
      reports: [{ report_id: report.id, role: 'viewer' }],
    };
    const users = [
      { email: `default-${email}` },
      { email: `editor-${email}`, role: 'editor' },
      { email: `manager-${email}`, role: 'manager' },
    ];
    const { body } = await inviteAll(manager, users, editors);
    const roles = body.results.map(({ invitation }) => {
      const { role, workspaces, reports } = invitation as Body & {
        role: string;
        reports: { role: string }[];
      };
      return [role, ...workspaces.map((grant) => grant.role), ...reports.map((grant) => grant.role)];
    });
    expect(roles).toEqual([
      ['member', 'viewer', 'viewer'],
      ['member', 'editor', 'editor'],
      ['member', 'manager', 'editor'],
    ]);
    for (const role of ['admin', 'owner', ''])
      expect((await inviteAll(manager, [{ email, role } as { email: string }])).status).toBe(400);
  });

  test('200: a list is not held up by the hourly limit of single invitations, nor counts against it', async () => {
    const results = await inviteInParts(admin, 32);
    expect(results.filter(({ created }) => created === true)).toHaveLength(32);
    expect((await invite(admin)).status).toBe(201);
  });

  test('400: an empty list, more than 500 people, an unknown workspace; 403: a role above the own', async () => {
    const pointersOf = async (users: { email: string }[], more = {}) => {
      const { status, body } = await inviteAll(manager, users, more);
      const { errors = [] } = body as unknown as { errors?: { pointer: string }[] };
      return [status, ...errors.map(({ pointer }) => pointer)];
    };
    const many = Array.from({ length: 501 }, (_, index) => ({ email: `m${index}@example.com` }));
    expect(await pointersOf([])).toEqual([400, '/users']);
    expect(await pointersOf(many)).toEqual([400, '/users']);
    expect(await pointersOf([{ email }], into(other))).toEqual([400, '/workspaces/0/workspace_id']);
    expect(await pointersOf([{ email }], { role: 'admin' })).toEqual([403]);
    expect(await list(admin, `?q=${email}`)).toEqual([]);
  });

  test('200: lines above the limit of a day are refused with the time of a retry', async () => {
    const results = await inviteInParts(admin, 40);
    expect(results.filter(({ created }) => created === true)).toHaveLength(35);
    const { code, retry_after } = results.at(-1)?.problem ?? {};
    expect(code).toBe('rate_limited');
    expect(retry_after).toBeGreaterThan(80_000);
  });
});
