import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { AccessRequestCleanupService } from '../src/access/requests/access-request-cleanup.service.js';
import type { Report } from '../src/reports/report.entity.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

interface Row {
  id: string;
  status: string;
  requester_id: string;
  requester_name: string | null;
  workspace_id: string | null;
  workspace_name: string | null;
  report_id: string | null;
  report_name: string | null;
  reason: string | null;
}

const path = '/api/access-requests';

let service: Service;
let sales: Workspace;
let revenue: Report;
let manager: User;
let ada: User;
let asManager: Client;
let asAda: Client;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
});
afterAll(() => service.close());
beforeEach(async () => {
  const { factory, as, mailbox } = service;
  mailbox.refuseWith();
  sales = await factory.workspace({ name: 'Sales' });
  revenue = await factory.report(sales, { name: 'Revenue' });
  manager = await factory.user({ name: 'Mona' });
  await factory.grant(manager, sales, 'manager');
  ada = await factory.user({ name: 'Ada' });
  [asManager, asAda] = [await as(manager), await as(ada)];
});

const list = async (client: Client, query = ''): Promise<Row[]> => {
  const { status, body } = await client.get<{ access_requests: Row[] }>(`${path}${query}`);
  expect(status).toBe(200);
  return body.access_requests;
};

/** Ada's request, as the manager sees it. */
async function requested(body: object): Promise<Row> {
  expect((await asAda.post(path, body)).status).toBe(202);
  const [row] = await list(asManager, '?status=pending');
  return row!;
}

const decide = (client: Client, { id }: Pick<Row, 'id'>, verb: 'approve' | 'decline') =>
  client.post<Row>(`${path}/${id}/${verb}`);

const eventsOf = async (action: string) => {
  const admin = await service.asAdmin();
  const { body } = await admin.get<{ audit_events: { details: object }[] }>(
    `/api/audit-events?action=${action}`,
  );
  return body.audit_events;
};

describe('POST /api/access-requests', () => {
  test('202: the same response for an existing, an unknown and a visible target', async () => {
    const responses = [
      await asAda.post(path, { report_id: revenue.id, reason: 'Month end' }),
      await asAda.post(path, { report_id: uuidv7() }),
      await asAda.post(path, { workspace_id: uuidv7() }),
      await asManager.post(path, { report_id: revenue.id }),
      await (await service.asAdmin()).post(path, { workspace_id: sales.id }),
    ];
    for (const { status, body } of responses)
      expect({ status, body }).toEqual({ status: 202, body: { status: 'received' } });
    expect(await list(asManager, '?mine=true')).toEqual([]);
  });

  test('202: own requests do not reveal whether the target exists', async () => {
    const [known, unknown] = [revenue.id, uuidv7()];
    for (const report_id of [known, unknown]) await asAda.post(path, { report_id });
    const mine = await list(asAda, '?mine=true');
    const plain = mine.map(({ id: _id, ...row }) => ({ ...row, report_id: '', created_at: '' }));
    expect(mine.map(({ report_id: id }) => id)).toEqual([unknown, known]);
    expect(plain[0]).toEqual(plain[1]);
    expect(plain[0]).toMatchObject({ status: 'pending', workspace_id: null, report_name: null });
  });

  test('202: a second request for the same target changes nothing while the first one is pending', async () => {
    const first = await requested({ workspace_id: sales.id, reason: 'First' });
    await asAda.post(path, { workspace_id: sales.id.toUpperCase(), reason: 'Second' });
    expect(await list(asManager)).toEqual([first]);
    await decide(asManager, first, 'decline');
    expect(await requested({ workspace_id: sales.id, reason: 'Third' })).toMatchObject({ reason: 'Third' });
  });

  test('202: a request for a report with the id of a workspace does not suppress one for the workspace', async () => {
    await asAda.post(path, { report_id: sales.id });
    expect(await requested({ workspace_id: sales.id })).toMatchObject({ workspace_id: sales.id });
    expect(await list(asAda, '?mine=true')).toHaveLength(2);
  });

  test('202: a request made while its target was retired reaches the managers when it is repeated', async () => {
    const setRetired = (at: Date | null) =>
      service.database.query('UPDATE reports SET retired_at = $2 WHERE id = $1', [revenue.id, at]);
    const request = () => asAda.post(path, { report_id: revenue.id, reason: 'Month end' });
    await setRetired(new Date());
    await request();
    await request();
    const before = await list(asAda, '?mine=true');
    await setRetired(null);
    expect(await list(asManager)).toEqual([]);
    await request();
    const [row] = await list(asManager);
    expect(row).toMatchObject({ id: before[0]?.id, report_id: revenue.id, reason: 'Month end' });
    // Nothing tells the requester that the report exists now.
    expect(await list(asAda, '?mine=true')).toEqual(before);
    await request();
    expect(await list(asManager)).toEqual([row]);
    expect((await service.mailbox.mailTo(manager.email)).text).toContain(row!.id);
    expect((await decide(asManager, row!, 'approve')).status).toBe(200);
  });

  test('202: who has one report may request its workspace', async () => {
    const admin = await service.asAdmin();
    await admin.put(`/api/reports/${revenue.id}/grants/users/${ada.id}`, { role: 'viewer' });
    await asAda.post(path, { report_id: revenue.id });
    expect(await list(asManager)).toEqual([]);
    expect(await requested({ workspace_id: sales.id })).toMatchObject({ report_id: null });
  });

  test.each([
    ['report_id', {}],
    ['report_id', { report_id: uuidv7(), workspace_id: uuidv7() }],
    ['report_id', { report_id: 'x' }],
    ['report_id', { report_id: null }],
    ['workspace_id', { workspace_id: 7 }],
    ['reason', { report_id: uuidv7(), reason: 'x'.repeat(501) }],
    ['reason', { report_id: uuidv7(), reason: 'a\u202Eb' }],
    ['reason', { report_id: uuidv7(), reason: '  ' }],
    ['user_id', { report_id: uuidv7(), user_id: uuidv7() }],
  ])('400: names the field %s', async (field, body) => {
    const response = await asAda.post(path, body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(field);
  });

  test('429: after 20 requests in an hour, with the time to wait', async () => {
    for (let n = 0; n < 20; n += 1)
      expect((await asAda.post(path, { report_id: uuidv7() })).status).toBe(202);
    const { status, headers } = await asAda.post(path, { report_id: revenue.id });
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(3500);
    expect(await list(asManager)).toEqual([]);
  });
});

describe('GET /api/access-requests', () => {
  test('200: exactly the fields of a request', async () => {
    expect(await requested({ report_id: revenue.id, reason: 'Month end' })).toEqual({
      id: expect.any(String),
      status: 'pending',
      requester_id: ada.id,
      requester_name: 'Ada',
      requester_email: ada.email,
      workspace_id: sales.id,
      workspace_name: 'Sales',
      report_id: revenue.id,
      report_name: 'Revenue',
      reason: 'Month end',
      created_at: expect.any(String),
      decided_at: null,
    });
  });

  test('200: managers see those of their workspaces, admins all, others none; nothing retired', async () => {
    const { factory, as } = service;
    const other = await factory.workspace();
    const retired = await factory.report(sales);
    const editor = await factory.user();
    await factory.grant(editor, sales, 'editor');
    const row = await requested({ workspace_id: sales.id });
    await asAda.post(path, { workspace_id: other.id });
    await asAda.post(path, { report_id: retired.id });
    await service.database.query('UPDATE reports SET retired_at = now() WHERE id = $1', [retired.id]);
    expect((await list(asManager)).map(({ id }) => id)).toEqual([row.id]);
    expect(await list(await as(editor))).toEqual([]);
    expect(await list(asAda)).toEqual([]);
    const all = await list(await service.asAdmin());
    expect(all.map(({ workspace_id: id }) => id)).toEqual(expect.arrayContaining([sales.id, other.id]));
    expect(all.map(({ report_id: id }) => id)).not.toContain(retired.id);
  });

  test('200: pages, and requests with a status', async () => {
    const { factory } = service;
    const first = await requested({ workspace_id: sales.id });
    await decide(asManager, first, 'decline');
    await asAda.post(path, { report_id: revenue.id });
    await asAda.post(path, { report_id: (await factory.report(sales)).id });
    expect((await list(asManager, '?status=declined')).map(({ id }) => id)).toEqual([first.id]);
    expect(await list(asManager, '?status=pending')).toHaveLength(2);
    const { headers } = await asManager.get(`${path}?limit=2&sort=created_at`);
    const [, next = ''] = /^<([^>]+)>/.exec(headers.get('link') ?? '') ?? [];
    expect(await list(asManager, next.replace(path, ''))).toHaveLength(1);
  });

  test.each(['status=open', 'mine=1', 'sort=reason', 'q=x'])('400: %s', async (query) => {
    expect((await asAda.get(`${path}?${query}`)).status).toBe(400);
  });
});

describe('POST /api/access-requests/:id/approve', () => {
  test('200: grants the role viewer on the report, once', async () => {
    const row = await requested({ report_id: revenue.id });
    const { status, body } = await decide(asManager, row, 'approve');
    expect({ status, body }).toMatchObject({ status: 200, body: { id: row.id, status: 'approved' } });
    expect((await asAda.get(`/api/reports/${revenue.id}`)).status).toBe(200);
    const { body: grants } = await asManager.get<{ grants: object[] }>(`/api/reports/${revenue.id}/grants`);
    expect(grants.grants).toMatchObject([{ role: 'viewer', source: 'manual', expires_at: null }]);
    expect(await list(asAda, '?mine=true')).toMatchObject([{ status: 'approved' }]);
    expect((await eventsOf('access_request_approved'))[0]).toMatchObject({
      actor: { id: manager.id },
      target: { type: 'user', id: ada.id },
      details: { access_request_id: row.id, workspace_id: sales.id, report_id: revenue.id },
    });
    expect((await eventsOf('access_requested'))[0]).toMatchObject({
      actor: { id: ada.id },
      target: { type: 'report', id: revenue.id },
    });
  });

  test('200: a grant on the workspace expires no later than that of the manager', async () => {
    const until = new Date(Date.now() + 86_400_000);
    await service.factory.grant(manager, sales, 'manager', until);
    const row = await requested({ workspace_id: sales.id });
    expect((await decide(asManager, row, 'approve')).status).toBe(200);
    const { body } = await asAda.get<{ grants: object[] }>('/api/users/me');
    expect(body.grants).toMatchObject([
      { workspace_id: sales.id, role: 'viewer', expires_at: until.toISOString() },
    ]);
  });

  test('200: does not weaken access that the requester received meanwhile', async () => {
    const row = await requested({ workspace_id: sales.id });
    await service.factory.grant(ada, sales, 'editor');
    expect((await decide(asManager, row, 'approve')).status).toBe(200);
    const { body } = await asAda.get<{ grants: object[] }>('/api/users/me');
    expect(body.grants).toMatchObject([{ workspace_id: sales.id, role: 'editor' }]);
  });

  test('404: an unknown id, a foreign one and an own one give the same response', async () => {
    const row = await requested({ workspace_id: sales.id });
    const stranger = await service.factory.user();
    await service.factory.grant(stranger, await service.factory.workspace(), 'manager');
    const asStranger = await service.as(stranger);
    const unknown = { id: uuidv7() };
    for (const verb of ['approve', 'decline'] as const) {
      const expected = await decide(asStranger, unknown, verb);
      expect(expected).toMatchObject({ status: 404, body: { code: 'access_request_not_found' } });
      for (const response of [await decide(asStranger, row, verb), await decide(asAda, row, verb)]) {
        const { detail, title, code } = response.body as unknown as Record<string, string>;
        expect({ status: response.status, detail, title, code }).toEqual({
          status: 404,
          detail: (expected.body as unknown as Record<string, string>).detail,
          title: 'Access request not found',
          code: 'access_request_not_found',
        });
      }
    }
  });

  test('409: of two managers at once one decides', async () => {
    const row = await requested({ workspace_id: sales.id });
    const admin = await service.asAdmin();
    const responses = await Promise.all([
      decide(asManager, row, 'approve'),
      decide(admin, row, 'decline'),
      decide(admin, row, 'approve'),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect(await decide(asManager, row, 'decline')).toMatchObject({
      status: 409,
      body: { code: 'access_request_decided' },
    });
  });

  test('409: the requester is disabled', async () => {
    const row = await requested({ workspace_id: sales.id });
    await (await service.asAdmin()).patch(`/api/users/${ada.id}`, { status: 'disabled' });
    expect(await decide(asManager, row, 'approve')).toMatchObject({
      status: 409,
      body: { code: 'user_disabled' },
    });
    expect((await decide(asManager, row, 'decline')).status).toBe(200);
  });
});

describe('POST /api/access-requests/:id/decline', () => {
  test('200: grants nothing', async () => {
    const row = await requested({ workspace_id: sales.id });
    expect(await decide(asManager, row, 'decline')).toMatchObject({
      status: 200,
      body: { status: 'declined' },
    });
    expect((await asAda.get(`/api/workspaces/${sales.id}`)).status).toBe(404);
    expect((await eventsOf('access_request_declined'))[0]).toMatchObject({ target: { id: ada.id } });
  });
});

describe('mails', () => {
  test('go to the managers, also of groups, with a link to the request, and the result to the requester', async () => {
    const { factory, mailbox } = service;
    const grace = await factory.user({ name: 'Grace' });
    const group = await factory.group({}, [grace]);
    await (
      await service.asAdmin()
    ).put(`/api/workspaces/${sales.id}/grants/groups/${group.id}`, { role: 'manager' });
    const row = await requested({ report_id: revenue.id, reason: 'Month end at evil.example' });
    for (const { email } of [manager, grace]) {
      const mail = await mailbox.mailTo(email);
      expect(mail.subject).toBe('Ada requested access to Revenue');
      expect(mail.text).toContain(`https://vitrine.test/access-requests?id=${row.id}`);
      expect(mail.text).toContain('in the workspace "Sales"');
      expect(mail.text).not.toContain('evil.example');
    }
    await decide(asManager, row, 'approve');
    const result = await until(async () => (await mailbox.mailsTo(ada.email)).at(-1));
    expect(result.subject).toBe('You now have access to Revenue');
    expect(result.text).toContain(`https://vitrine.test/reports/${revenue.id}`);
  });

  /** Waits until the server refused a mail to this person. */
  const refused = ({ id }: User) =>
    until(async () => {
      const jobs = await service.database.query<object[]>(
        `SELECT FROM pgboss.job
         WHERE name = 'access_request_mail' AND state = 'retry' AND data->>'recipient_id' = $1`,
        [id],
      );
      return jobs.length > 0;
    });
  /** Sends the refused mails now instead of in a minute. */
  const retry = async (): Promise<void> => {
    service.mailbox.refuseWith();
    await service.database.query(`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`);
    await service.waitForJobs();
  };

  test('do not go to a manager who lost the role meanwhile', async () => {
    service.mailbox.refuseWith({ responseCode: 451, message: 'Come back later' });
    await requested({ workspace_id: sales.id });
    await refused(manager);
    await (await service.asAdmin()).delete(`/api/workspaces/${sales.id}/members/${manager.id}`);
    await retry();
    expect(await service.mailbox.mailsTo(manager.email)).toEqual([]);
  });

  test('do not announce access that was removed meanwhile', async () => {
    const row = await requested({ report_id: revenue.id });
    service.mailbox.refuseWith({ responseCode: 451, message: 'Come back later' });
    await decide(asManager, row, 'approve');
    await refused(ada);
    const grant = `/api/reports/${revenue.id}/grants/users/${ada.id}`;
    expect((await asManager.delete(grant)).status).toBe(204);
    await retry();
    expect(await service.mailbox.mailsTo(ada.email)).toEqual([]);
  });

  test('go to the admins when the workspace has no manager', async () => {
    const { factory, mailbox } = service;
    const admin = await factory.admin();
    await asAda.post(path, { workspace_id: (await factory.workspace({ name: 'Orphan' })).id });
    expect((await mailbox.mailTo(admin.email)).subject).toBe('Ada requested access to Orphan');
    await service.database.query(`UPDATE users SET role = 'member' WHERE id = $1`, [admin.id]);
  });

  test('go to 20 managers at most, once each', async () => {
    const { factory, mailbox, database } = service;
    const many = await factory.workspace({ name: 'Many' });
    for (let n = 0; n < 22; n += 1) await factory.grant(await factory.user(), many, 'manager');
    for (let n = 0; n < 3; n += 1) await asAda.post(path, { workspace_id: many.id });
    const sent = (): number =>
      mailbox.mails.filter((mail) => mail.toString().includes('requested access to Many')).length;
    await until(() => Promise.resolve(sent() >= 20));
    await service.waitForJobs();
    const [{ count }] = await database.query(
      `SELECT count(DISTINCT data->>'recipient_id')::int FROM pgboss.job
       WHERE data->>'request_id' = (SELECT id::text FROM access_requests WHERE target_id = $1)`,
      [many.id],
    );
    expect(count).toBe(20);
    expect(sent()).toBe(20);
  });

  test('a declined request does not reveal the name of its target', async () => {
    const row = await requested({ workspace_id: sales.id });
    await decide(asManager, row, 'decline');
    const mail = await service.mailbox.mailTo(ada.email);
    expect(mail.subject).toBe('Your access request was declined');
    expect(mail.text).not.toContain('Sales');
  });
});

describe('what is stored', () => {
  test('is deleted with the person', async () => {
    await requested({ workspace_id: sales.id, reason: 'Private' });
    const admin = await service.asAdmin();
    await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
    expect((await admin.post(`/api/users/${ada.id}/erase`)).status).toBe(204);
    expect(await list(asManager)).toEqual([]);
  });

  test('is deleted after 90 days', async () => {
    const row = await requested({ workspace_id: sales.id });
    await service.database.query(
      `UPDATE access_requests SET created_at = created_at - interval '91 days' WHERE id = $1`,
      [row.id],
    );
    await service.app.get(AccessRequestCleanupService, { strict: false }).remove();
    expect(await list(asManager)).toEqual([]);
  });
});
