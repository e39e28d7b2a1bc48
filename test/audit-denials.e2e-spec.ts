import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { AuditDenialsService } from '../src/platform/audit/audit-denials.service.js';
import type { AuditEventDto } from '../src/audit-trail/dto/audit-event.dto.js';
import type { User } from '../src/users/user.entity.js';
import type { Client } from './support/client.js';
import { behindProxy } from './support/guessing.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;
let member: User;
let api: Client;

beforeAll(async () => {
  service = await startService({
    ...behindProxy,
    RATE_LIMIT_SIGN_IN_PER_IP: '0',
    RATE_LIMIT_API_PER_MINUTE: '0',
  });
  admin = await service.as(await service.factory.admin());
});
beforeEach(async () => {
  member = await service.factory.user();
  api = await service.as(member);
});
afterAll(() => service.close());

const denied = async (query: string): Promise<AuditEventDto[]> => {
  const path = `/api/audit-events?outcome=denied&${query}`;
  return (await admin.get<{ audit_events: AuditEventDto[] }>(path)).body.audit_events;
};

describe('AZ-16 denials are recorded', () => {
  test('a route that the role may not call: with user, route and address', async () => {
    const response = await api.get('/api/users', { 'user-agent': 'probe/1', 'x-request-id': 'denied-1' });
    expect(response.status).toBe(403);
    expect(await denied('request_id=denied-1')).toMatchObject([
      {
        action: 'access_denied',
        actor: { id: member.id },
        ip: '127.0.0.1',
        user_agent: 'probe/1',
        details: { method: 'GET', route: '/api/users', code: 'access_denied' },
      },
    ]);
  });

  test('a denial by a service method, although its transaction is rolled back', async () => {
    const response = await api.post('/api/users/invite', { email: 'x@example.com' });
    expect(response.status).toBe(403);
    expect(await denied(`actor_id=${member.id}`)).toMatchObject([
      { details: { route: '/api/users/invite' } },
    ]);
  });

  test('invalid refresh tokens, invitations and client secrets', async () => {
    const bodies = [
      { grant_type: 'refresh_token', refresh_token: 'x' },
      { grant_type: 'invitation', invitation_token: 'x', password: 'correct horse battery staple' },
      { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' },
    ];
    for (const body of bodies)
      await service.api.post('/api/auth/token', body, { 'x-request-id': 'denied-2' });
    const actions = (await denied('request_id=denied-2')).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['sign_in_failed', 'sign_in_failed', 'token_refresh_failed']);
  });

  test('repeated denials are recorded once, then once a minute with their number', async () => {
    await Promise.all(Array.from({ length: 300 }, () => api.get('/api/users')));
    expect(await denied(`actor_id=${member.id}`)).toHaveLength(1);
    service.clock.advance(61);
    await api.get('/api/users');
    const rows = await denied(`actor_id=${member.id}`);
    const repeats = rows.filter(({ details }) => 'repeats' in details);
    expect(repeats.map(({ details }) => details.repeats)).toEqual([299]);
    expect(rows).toHaveLength(3);
  });

  test.each([
    {
      per: 'address, whatever port a proxy adds',
      from: ['203.0.113.7:5001', '203.0.113.7:5002', '203.0.113.7'],
    },
    { per: 'network of IPv6', from: ['2001:db8::1', '[2001:db8::2]:443', '2001:db8::ffff:0:0:3'] },
  ])('denials without an account are counted per $per', async ({ from }) => {
    const headers = { 'x-request-id': `denied-${from[0]}`.replaceAll(':', '.') };
    for (const address of from) {
      for (const body of [
        { grant_type: 'refresh_token', refresh_token: 'x' },
        { grant_type: 'client_credentials', client_id: 'x', client_secret: 'x' },
      ])
        await service.api.post('/api/auth/token', body, { ...headers, 'x-forwarded-for': address });
    }
    const actions = (await denied(`request_id=${headers['x-request-id']}`)).map(({ action }) => action);
    expect(actions.toSorted()).toEqual(['sign_in_failed', 'token_refresh_failed']);
  });

  test('beyond a limit, different kinds of denials are counted together', async () => {
    const count = async (): Promise<number> => {
      const [row] = await service.database.query<{ n: number }[]>(
        'SELECT count(*)::int AS n FROM audit_events',
      );
      return row?.n ?? 0;
    };
    const before = await count();
    const denials = service.app.get(AuditDenialsService);
    for (let n = 0; n < 2000; n += 1) {
      await denials.record({ action: 'access_denied', actorId: member.id, details: { route: `/${n}` } });
    }
    expect((await count()) - before).toBeLessThanOrEqual(501);
    service.clock.advance(61);
    await denials.flush();
    const [others] = (await denied('action=access_denied')).filter(
      ({ details }) => details.code === 'others' && 'repeats' in details,
    );
    expect(others?.details.repeats).toBeGreaterThanOrEqual(1499);
  });

  test('a request is denied even if the audit event cannot be written', async () => {
    await service.database.query('ALTER TABLE audit_events RENAME TO hidden');
    const response = await api.get('/api/syncs');
    await service.database.query('ALTER TABLE hidden RENAME TO audit_events');
    expect(response.status).toBe(403);
  });
});

describe('OBS-02 a change and its audit event are one transaction', () => {
  test('a change whose audit event cannot be written is rolled back', async () => {
    const { factory, database } = service;
    const workspace = await factory.workspace();
    const person = await factory.user({ name: 'Before' });
    // Like the maintenance of the partitions, it locks all of them.
    await service.waitForJobs();
    await database.query('ALTER TABLE audit_events ADD CONSTRAINT no_more CHECK (false) NOT VALID');
    const responses = await Promise.all([
      admin.patch(`/api/users/${person.id}`, { name: 'After' }),
      admin.put(`/api/workspaces/${workspace.id}/members/${person.id}`, { role: 'viewer' }),
      admin.post('/api/users/invite', { email: 'never@example.com' }),
      admin.post('/api/service-accounts', { name: 'never' }),
      admin.post('/api/syncs'),
      service.api.post('/api/auth/token', { email: person.email, password: 'correct horse battery staple' }),
    ]);
    await database.query('ALTER TABLE audit_events DROP CONSTRAINT no_more');
    expect(responses.map(({ status }) => status)).toEqual([500, 500, 500, 500, 500, 500]);
    const [row] = await database.query<object[]>(
      `SELECT (SELECT name FROM users WHERE id = $1) AS name,
         (SELECT count(*)::int FROM grants WHERE user_id = $1) AS grants,
         (SELECT count(*)::int FROM sessions WHERE user_id = $1) AS sessions,
         (SELECT count(*)::int FROM invitations WHERE email = 'never@example.com') AS invitations,
         (SELECT count(*)::int FROM users WHERE name = 'never') AS accounts,
         (SELECT count(*)::int FROM sync_runs) AS syncs,
         (SELECT count(*)::int FROM pgboss.job WHERE name = 'catalogue_sync') AS jobs`,
      [person.id],
    );
    expect(row).toEqual({
      name: 'Before',
      grants: 0,
      sessions: 0,
      invitations: 0,
      accounts: 0,
      syncs: 0,
      jobs: 0,
    });
  });
});
