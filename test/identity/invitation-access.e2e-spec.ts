import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { Client, comparable } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Invitation extends Record<string, unknown> {
  id: string;
  reports: object[];
  groups: string[];
}

let service: Service;
let admin: Client;
let adminUser: User;
let chief: User;
let manager: Client;
let sales: Workspace;
let revenue: Report;
let foreign: Report;
let team: Group;
let email: string;
let count = 0;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0', RATE_LIMIT_INVITATIONS_PER_HOUR: '0' });
});
afterAll(() => service.close());
beforeEach(async () => {
  const { factory } = service;
  email = `invited-${(count += 1)}@example.com`;
  adminUser = await factory.admin();
  admin = await service.as(adminUser);
  sales = await factory.workspace();
  revenue = await factory.report(sales, { name: 'Revenue' });
  foreign = await factory.report(await factory.workspace(), { name: 'Foreign' });
  chief = await factory.user();
  await factory.grant(chief, sales, 'manager');
  manager = await service.as(chief);
  team = await factory.group();
});

const invite = (by: Client, more: object, address = email) =>
  by.post<Invitation>('/api/users/invite', { email: address, ...more });
const onReport = ({ id }: { id: string }, role = 'viewer', more = {}) => ({
  reports: [{ report_id: id, role, ...more }],
});
const accept = async (address = email) => {
  const invitation_token = await service.mailbox.secretFor(address);
  const password = 'seven grey herons at noon';
  return service.api.post<{ access_token: string; code?: string }>('/api/auth/token', {
    grant_type: 'invitation',
    invitation_token,
    password,
  });
};
const reportsOf = async (by: Client): Promise<unknown[]> =>
  (await by.get<{ reports: { name: string }[] }>('/api/reports')).body.reports.map(({ name }) => name);
const accepted = async (): Promise<Client> => new Client(service.url, (await accept()).body.access_token);
const groupsOf = async (address = email): Promise<unknown[]> =>
  (
    await service.database.query<{ group_id: string }[]>(
      `SELECT group_id FROM group_edges JOIN users ON users.id = user_id WHERE email = $1 AND group_edges.source = 'manual'`,
      [address],
    )
  ).map(({ group_id }) => group_id);
/** Every row that an invitation could leave. */
const rows = async (): Promise<unknown> => {
  const tables = ['invitations', 'invitation_grants', 'invitation_report_grants', 'invitation_groups'];
  const more = ['grants', 'group_edges', 'pgboss.job'];
  const counts = [...tables, ...more].map((name) => `(SELECT count(*) FROM ${name}) AS "${name}"`);
  return (await service.database.query(`SELECT ${counts.join(', ')}`))[0];
};

describe('an invitation to reports and groups', () => {
  test('201: from an admin; the response, the list and the audit trail contain them, and acceptance confers them', async () => {
    const expires_at = '2099-12-31T00:00:00.000Z';
    const body = { ...onReport(revenue, 'editor', { expires_at }), groups: [team.id.toUpperCase()] };
    const response = await invite(admin, body);
    const shown = { reports: [{ report_id: revenue.id, role: 'editor', expires_at }], groups: [team.id] };
    expect(response).toMatchObject({ status: 201, body: { ...shown, workspaces: [] } });
    const { id } = response.body;
    expect((await admin.get(`/api/invitations/${id}`)).body).toMatchObject(shown);
    const { body: list } = await admin.get<{ invitations: Invitation[] }>('/api/invitations');
    expect(list.invitations.find((one) => one.id === id)).toMatchObject(shown);
    expect(await accepted().then(reportsOf)).toEqual(['Revenue']);
    expect(await groupsOf()).toEqual([team.id]);
    const events = await service.database.query<{ action: string; details: object }[]>(
      'SELECT action, details FROM audit_events WHERE target_id = ANY($1) ORDER BY id',
      [[id, team.id]],
    );
    expect(events).toMatchObject([
      {
        action: 'invitation_created',
        details: { role: 'member', report_ids: [revenue.id], group_ids: [team.id] },
      },
      { action: 'group_member_added', details: { source: 'manual', member_type: 'user' } },
      { action: 'invitation_accepted' },
    ]);
  });

  test('201: from a manager, to a report of the workspace; nothing else of the workspace is granted', async () => {
    const hidden = await service.factory.report(sales, { name: 'Hidden' });
    const { status, body } = await invite(manager, onReport(revenue));
    expect(status).toBe(201);
    expect((await manager.get(`/api/invitations/${body.id}`)).status).toBe(200);
    const invited = await accepted();
    expect(await reportsOf(invited)).toEqual(['Revenue']);
    expect((await invited.get(`/api/reports/${hidden.id}`)).status).toBe(404);
  });

  test('200: an existing user has them at once; 409 if nothing is new', async () => {
    const ada = await service.factory.user();
    const body = { ...onReport(revenue), groups: [team.id] };
    expect(await invite(admin, body, ada.email)).toMatchObject({ status: 200, body: { status: 'accepted' } });
    expect(await reportsOf(await service.as(ada))).toEqual(['Revenue']);
    expect(await groupsOf(ada.email)).toEqual([team.id]);
    expect(await invite(admin, body, ada.email)).toMatchObject({
      status: 409,
      body: { code: 'already_has_access' },
    });
  });

  test("201: a manager's invitation of a stranger's account applies with the next request, and keeps newer grants", async () => {
    const ada = await service.factory.user();
    const eve = await service.factory.user();
    for (const { email: address } of [ada, eve]) {
      expect(await invite(manager, onReport(revenue), address)).toMatchObject({
        status: 201,
        body: { status: 'pending' },
      });
    }
    await admin.put(`/api/reports/${revenue.id}/grants/users/${eve.id}`, { role: 'editor' });
    expect(await reportsOf(await service.as(ada))).toEqual(['Revenue']);
    await reportsOf(await service.as(eve));
    const roles = await service.database.query(
      'SELECT role FROM grants WHERE user_id = $1 AND report_id IS NOT NULL',
      [eve.id],
    );
    expect(roles).toEqual([{ role: 'editor' }]);
  });

  test("a manager's grant expires no later than the manager's own; an expired one confers nothing", async () => {
    const until = service.clock.in(3600);
    await service.factory.grant(chief, sales, 'manager', until);
    const { body } = await invite(manager, onReport(revenue, 'viewer', { expires_at: '2099-01-01' }));
    expect(body.reports).toMatchObject([{ expires_at: until.toISOString() }]);
    service.clock.advance(3601);
    expect((await accept()).body.code).toBe('invitation_revoked');
  });

  test('a grant that has expired before acceptance does not replace a permanent one', async () => {
    const ada = await service.factory.user({ email, status: 'disabled' });
    await service.factory.grant(ada, sales, 'editor');
    const expires_at = service.clock.in(3600).toISOString();
    await invite(admin, { workspaces: [{ workspace_id: sales.id, role: 'viewer', expires_at }] });
    service.clock.advance(3601);
    expect((await accepted().then((by) => by.get('/api/users/me'))).body.grants).toMatchObject([
      { workspace_id: sales.id, role: 'editor', expires_at: null },
    ]);
  });
});

describe('what may not be invited to', () => {
  test.each([
    ['an unknown report', () => onReport({ id: uuidv7() }), 400, ['/reports/0/report_id']],
    ['a foreign report', () => onReport(foreign), 400, ['/reports/0/report_id']],
    ['a role that reports do not have', () => onReport(revenue, 'manager'), 400, ['/reports/0/role']],
    [
      'an expiry in the past',
      () => onReport(revenue, 'viewer', { expires_at: '2020-01-01' }),
      400,
      ['/reports/0/expires_at'],
    ],
    [
      'the same report twice, in any case',
      () => ({
        reports: [revenue.id, revenue.id.toUpperCase()].map((report_id) => ({ report_id, role: 'viewer' })),
      }),
      400,
      ['/reports'],
    ],
    ['a group, besides a report', () => ({ ...onReport(revenue), groups: [team.id] }), 403, []],
    ['an unknown group', () => ({ ...onReport(revenue), groups: [uuidv7()] }), 403, []],
    ['nothing', () => ({ workspaces: [], reports: [], groups: [] }), 403, []],
    [
      'a foreign report besides an own workspace',
      () => ({ ...onReport(foreign), workspaces: [{ workspace_id: sales.id, role: 'viewer' }] }),
      400,
      ['/reports/0/report_id'],
    ],
  ] as [string, () => object, number, string[]][])(
    'by a manager: %s, and nothing is written',
    async (_name, body, status, pointers) => {
      const before = await rows();
      const response = await invite(manager, body());
      const { errors = [] } = response.body as { errors?: { pointer: string }[] };
      expect([response.status, ...errors.map((error) => error.pointer)]).toEqual([status, ...pointers]);
      expect(await rows()).toEqual(before);
    },
  );

  test.each([
    ['viewer', () => service.factory.grant(chief, sales, 'viewer')],
    ['editor', () => service.factory.grant(chief, sales, 'editor')],
  ])('by a %s of the workspace: a report that the caller sees', async (_role, demote) => {
    await demote();
    expect((await invite(manager, onReport(revenue))).status).toBe(403);
  });

  test('a foreign report is treated like an unknown one, and an existing group like an unknown one', async () => {
    const [known, unknown] = [
      await invite(manager, onReport(foreign)),
      await invite(manager, onReport({ id: uuidv7() })),
    ];
    expect(comparable(known)).toEqual(comparable(unknown));
    const [real, none] = [
      await invite(manager, { groups: [team.id] }),
      await invite(manager, { groups: [uuidv7()] }),
    ];
    expect(comparable(real)).toEqual(comparable(none));
  });

  test('by an admin: an unknown group, and a group that SCIM manages, are named, and nothing is written', async () => {
    const scim = await service.factory.group({ source: 'scim' });
    const before = await rows();
    const response = await invite(admin, { groups: [team.id, scim.id, uuidv7()] });
    expect(response).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/groups/1' }, { pointer: '/groups/2' }] },
    });
    expect((await invite(admin, { groups: ['team'] })).body.errors).toMatchObject([{ pointer: '/groups' }]);
    expect(await rows()).toEqual(before);
  });
});

describe('at acceptance', () => {
  test('a report grant of a manager who lost the workspace confers nothing', async () => {
    await invite(manager, onReport(revenue));
    await service.database.query('DELETE FROM grants WHERE user_id = $1', [chief.id]);
    expect((await accept()).body.code).toBe('invitation_revoked');
  });

  test('groups and reports of an admin who was demoted confer nothing', async () => {
    await invite(admin, { ...onReport(revenue), groups: [team.id] });
    await service.database.query(`UPDATE users SET role = 'member' WHERE id = $1`, [adminUser.id]);
    expect((await accept()).body.code).toBe('invitation_revoked');
    expect(await groupsOf()).toEqual([]);
  });

  test('a group that was deleted, or is now managed elsewhere, is ignored', async () => {
    const [gone, moved] = [await service.factory.group(), await service.factory.group()];
    await invite(admin, { groups: [gone.id, moved.id, team.id] });
    expect((await admin.delete(`/api/groups/${gone.id}`)).status).toBe(204);
    await service.database.query(`UPDATE groups SET source = 'scim' WHERE id = $1`, [moved.id]);
    expect((await accept()).status).toBe(200);
    expect(await groupsOf()).toEqual([team.id]);
  });

  test('several invitations for the same address confer all of their access', async () => {
    await invite(manager, onReport(revenue));
    const secret = await service.mailbox.secretFor(email);
    const other = await service.asMember({ id: foreign.workspaceId } as Workspace, 'manager');
    await invite(other, onReport(foreign, 'editor'));
    await service.mailbox.nextSecretFor(email, secret);
    expect(await accepted().then(reportsOf)).toEqual(['Foreign', 'Revenue']);
  });
});

describe('who manages such an invitation', () => {
  test('404: one with a group is not managed by managers', async () => {
    const { body } = await invite(manager, onReport(revenue));
    service.clock.advance(61);
    await invite(admin, { groups: [team.id] });
    expect((await manager.get(`/api/invitations/${body.id}`)).status).toBe(404);
    expect((await manager.delete(`/api/invitations/${body.id}`)).status).toBe(404);
  });

  test('404: one with a report of a workspace that the manager no longer manages', async () => {
    const { body } = await invite(manager, onReport(revenue));
    await service.factory.grant(chief, sales, 'editor');
    expect((await manager.post(`/api/invitations/${body.id}/resend`)).status).toBe(404);
  });

  test('403: a former manager does not get the stored response of an idempotent request', async () => {
    const key = { 'idempotency-key': 'invite-to-a-report' };
    const request = () => manager.post('/api/users/invite', { email, ...onReport(revenue) }, key);
    expect((await request()).status).toBe(201);
    await service.factory.grant(chief, sales, 'editor');
    expect((await request()).status).toBe(403);
  });
});
