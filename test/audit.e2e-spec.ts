import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { AuditEventDto } from '../src/audit-trail/dto/audit-event.dto.js';
import type { ApiResponse, Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

type List = { audit_events: AuditEventDto[] };

let service: Service;
let admin: Client;
let adminId: string;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0' });
  const user = await service.factory.admin({ name: '=1+1', email: 'auditor@example.com' });
  adminId = user.id;
  admin = await service.signIn(user);
});
afterAll(() => service.close());

const events = async (query = ''): Promise<AuditEventDto[]> =>
  (await admin.get<List>(`/api/audit-events${query}`)).body.audit_events;

/** Rows that only the test can tell apart, `count` of them a second apart. */
async function plant(count: number, at = new Date(), userAgent = 'planted'): Promise<string> {
  const requestId = randomUUID();
  await service.database.query(
    `INSERT INTO audit_events (id, at, action, outcome, actor_id, user_agent, request_id, details)
     SELECT gen_random_uuid(), $1::timestamptz - make_interval(secs => n), 'signed_in', 'allowed', $2, $3, $4, '{}'
     FROM generate_series(1, $5::int) n`,
    [at, adminId, userAgent, requestId, count],
  );
  return requestId;
}

describe('GET /api/audit-events', () => {
  test('200: newest first, with actor and target', async () => {
    const [event] = await events('?action=signed_in&limit=1');
    expect(event).toMatchObject({
      action: 'signed_in',
      outcome: 'allowed',
      actor: { type: 'user', id: adminId, name: '=1+1', email: 'auditor@example.com', removed: false },
      target: { type: 'session' },
      ip: '127.0.0.1',
      details: { method: 'password' },
    });
    expect(Object.keys(event as object)).toEqual([
      'id',
      'at',
      'action',
      'outcome',
      'actor',
      'target',
      'ip',
      'user_agent',
      'request_id',
      'details',
    ]);
  });

  test('200: a group has its current name, and a deleted one the name in its event; a grant of a group names it', async () => {
    const { body: group } = await admin.post<{ id: string }>('/api/groups', { name: 'Auditees' });
    const workspace = await service.factory.workspace();
    await admin.put(`/api/workspaces/${workspace.id}/grants/groups/${group.id}`, { role: 'viewer' });
    await admin.patch(`/api/groups/${group.id}`, { name: 'Audited' });
    const names = async () =>
      (await events(`?target_type=group&target_id=${group.id}`)).map(({ action, target }) => [
        action,
        target?.name,
      ]);
    expect(await names()).toEqual([
      ['group_updated', 'Audited'],
      ['grant_set', 'Audited'],
      ['group_created', 'Audited'],
    ]);
    await admin.delete(`/api/groups/${group.id}`);
    expect(await names()).toEqual([
      ['group_deleted', 'Audited'],
      ['grant_removed', null],
      ['group_updated', null],
      ['grant_set', null],
      ['group_created', 'Auditees'],
    ]);
    const headers = { authorization: `Bearer ${admin.token}`, accept: 'text/csv' };
    const csv = await fetch(`${service.url}/api/audit-events?target_id=${group.id}`, { headers });
    expect(await csv.text()).toContain(`group,${group.id},Audited`);
  });

  test('200: each filter applies', async () => {
    const requestId = await plant(3, new Date('2025-05-05T12:00:00Z'));
    const found = (query: string) => events(`?request_id=${requestId}&${query}`).then((list) => list.length);
    expect(await found('action=signed_in')).toBe(3);
    expect(await found('action=signed_out')).toBe(0);
    expect(await found('outcome=denied')).toBe(0);
    expect(await found(`actor_id=${adminId}`)).toBe(3);
    expect(await found(`actor_id=${randomUUID()}`)).toBe(0);
    expect(await found('target_type=report')).toBe(0);
    expect(await found(`target_id=${randomUUID()}`)).toBe(0);
    expect(await found('from=2025-05-05T11:59:58Z')).toBe(2);
    expect(await found('to=2025-05-05T11:59:58Z')).toBe(1);
  });

  test('200: the address is a filter, however it is written, also of a socket for both protocols', async () => {
    const requestId = randomUUID();
    await service.database.query(
      `INSERT INTO audit_events (id, at, action, outcome, actor_id, ip, request_id, details)
       SELECT gen_random_uuid(), now(), 'signed_in', 'allowed', $1, ip, $2, '{}'
       FROM unnest(ARRAY['203.0.113.7', '::ffff:203.0.113.7', '203.0.113.70', '2001:db8::7']) AS ip`,
      [adminId, requestId],
    );
    const found = async (ip: string) =>
      (await events(`?request_id=${requestId}&ip=${ip}`)).map(({ ip: from }) => from ?? '').toSorted();
    const v4 = ['203.0.113.7', '::ffff:203.0.113.7'];
    expect(await found('203.0.113.7')).toEqual(v4);
    expect(await found('::FFFF:203.0.113.7')).toEqual(v4);
    expect(await found('2001:DB8:0::7')).toEqual(['2001:db8::7']);
    expect(await found('203.0.113.8')).toEqual([]);
  });

  test('200: the target id of settings is a filter too', async () => {
    await admin.put('/api/settings/branding', { product_name: 'Audited' });
    await admin.put('/api/settings/onboarding', { dismissed: true });
    await service.database.query(
      `INSERT INTO audit_events (id, at, action, outcome, target_type, target_id, details)
       VALUES (gen_random_uuid(), now(), 'rule_reference_unresolved', 'failed', 'settings', 'sign_in_rules', '{}')`,
    );
    for (const [id, action] of [
      ['branding', 'branding_changed'],
      ['onboarding', 'onboarding_changed'],
      ['sign_in_rules', 'rule_reference_unresolved'],
    ]) {
      const found = await events(`?target_type=settings&target_id=${id}`);
      expect(found.map((event) => [event.action, event.target?.id])).toEqual([[action, id]]);
    }
  });

  test('200: pages by cursor without gaps or repeats', async () => {
    const requestId = await plant(25);
    const seen: string[] = [];
    let path: string | undefined = `/api/audit-events?request_id=${requestId}&limit=10`;
    while (path !== undefined) {
      const page: ApiResponse<List> = await admin.get<List>(path);
      seen.push(...page.body.audit_events.map(({ id }) => id));
      path = /<([^>]+)>/.exec(page.headers.get('link') ?? '')?.[1];
    }
    expect(new Set(seen).size).toBe(25);
    expect(seen).toHaveLength(25);
  });

  test('400: an unknown action, an invalid timestamp', async () => {
    expect((await admin.get('/api/audit-events?action=dreamt')).status).toBe(400);
    expect((await admin.get('/api/audit-events?from=yesterday')).status).toBe(400);
    expect((await admin.get('/api/audit-events?q=x')).status).toBe(400);
  });

  test.each(['', 'a%20b', 'a%00b', 'x'.repeat(65)])('400: the target id "%s"', async (id) => {
    const { status, body } = await admin.get(`/api/audit-events?target_id=${id}`);
    expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/target_id' })]]);
  });

  test.each(['', 'elsewhere', '203.0.113', '203.0.113.7:443', '203.0.113.0/24', 'fe80::1%25eth0', '1&ip=2'])(
    '400: the address "%s"',
    async (ip) => {
      const { status, body } = await admin.get(`/api/audit-events?ip=${ip}`);
      expect([status, body.errors]).toEqual([400, [expect.objectContaining({ pointer: '/ip' })]]);
    },
  );

  test('401 and 403: admins only', async () => {
    expect((await service.api.get('/api/audit-events')).status).toBe(401);
    const member = await service.as(await service.factory.user());
    expect((await member.get('/api/audit-events')).status).toBe(403);
  });
});

describe('GET /api/audit-events as a file', () => {
  const download = (accept: string, query: string): Promise<Response> =>
    fetch(`${service.url}/api/audit-events${query}`, {
      headers: { accept, authorization: `Bearer ${admin.token}` },
    });

  test('NDJSON: one event per line, all events regardless of the page size', async () => {
    const requestId = await plant(2500);
    const response = await download('application/x-ndjson', `?request_id=${requestId}&limit=10`);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-events.ndjson"');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(new Set(lines.map((line) => (JSON.parse(line) as AuditEventDto).id)).size).toBe(2500);
  });

  const hidden = ['\ufeff=cmd()', '\u00ad+1', ' \u200b-1', '\u2060\u00a0@x'];
  test.each(['=cmd()', '+1', '-1', '@SUM(1)', '\tx', '\rx', '＝1', '＋1', '－1', '＠x', ...hidden])(
    'CSV: %j is not interpreted as a formula by spreadsheets',
    async (userAgent) => {
      const requestId = await plant(1, new Date(), userAgent);
      const response = await download('text/csv', `?request_id=${requestId}`);
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-events.csv"');
      const text = await response.text();
      expect(text).toContain(`'${userAgent}`);
      expect(text).toContain(`,'=1+1,`);
      expect(text.split('\r\n')[0]).toMatch(/^id,at,action,outcome,actor_type/);
    },
  );

  test.each([
    ['is disabled', { status: 'disabled' }],
    ['is no longer an admin', { role: 'member' }],
  ])('is broken off when its reader %s', async (_, change) => {
    const requestId = randomUUID();
    // More than the buffers between service and reader.
    await service.database.query(
      `INSERT INTO audit_events (id, at, action, outcome, request_id, details)
       SELECT gen_random_uuid(), now() - make_interval(secs => n), 'signed_in', 'allowed', $1, jsonb_build_object('note', repeat('x', 2000))
       FROM generate_series(1, 12000) n`,
      [requestId],
    );
    const reader = await service.factory.admin();
    const { token } = await service.as(reader);
    const response = await fetch(`${service.url}/api/audit-events?request_id=${requestId}`, {
      headers: { accept: 'application/x-ndjson', authorization: `Bearer ${token}` },
    });
    const body = response.body!.getReader();
    expect((await body.read()).done).toBe(false);
    expect((await admin.patch(`/api/users/${reader.id}`, change)).status).toBe(200);
    const rest = async (): Promise<void> => {
      while (!(await body.read()).done);
    };
    await expect(rest()).rejects.toThrow(TypeError);
  });

  test('500: a failure before the first line returns an error status', async () => {
    // Like the maintenance of the partitions, it locks all of them.
    await service.waitForJobs();
    await service.database.query('ALTER TABLE audit_events RENAME COLUMN ip TO hidden');
    const response = await download('text/csv', '');
    await service.database.query('ALTER TABLE audit_events RENAME COLUMN hidden TO ip');
    expect(response.status).toBe(500);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });
});
