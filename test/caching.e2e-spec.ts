import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../src/reports/report.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let member: Client;
let sales: Workspace;
let revenue: Report;
let paths: string[];

beforeAll(async () => {
  service = await startService();
  sales = await service.factory.workspace();
  revenue = await service.factory.report(sales);
  member = await service.asMember(sales);
  paths = ['/api/workspaces', `/api/workspaces/${sales.id}`, '/api/reports', `/api/reports/${revenue.id}`];
});
afterAll(() => service.close());

const conditional = (by: Client, path: string, etag: string | null) =>
  by.get(path, { 'if-none-match': etag ?? '' });

describe('conditional reads', () => {
  test('are private and require revalidation', async () => {
    for (const path of [...paths, '/api/users/me', '/api/health']) {
      const { headers } = await member.get(path);
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  test('return 304 without a body while nothing has changed', async () => {
    for (const path of paths) {
      const { headers } = await member.get(path);
      const again = await conditional(member, path, headers.get('etag'));
      expect(again).toMatchObject({ status: 304, body: {} });
      expect(again.headers.get('etag')).toBe(headers.get('etag'));
      expect(again.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  test('return 304 for a page of a list, with the same link to the next page', async () => {
    const other = await service.factory.workspace();
    const both = await service.factory.user();
    for (const workspace of [sales, other]) await service.factory.grant(both, workspace);
    const caller = await service.as(both);
    const path = '/api/workspaces?limit=1';
    const { headers } = await caller.get(path);
    expect(headers.get('link')).toContain('rel="next"');
    const again = await conditional(caller, path, headers.get('etag'));
    expect(again).toMatchObject({ status: 304, body: {} });
    expect(again.headers.get('etag')).toBe(headers.get('etag'));
    expect((await caller.get(path)).headers.get('etag')).toBe(headers.get('etag'));
  });

  test('return 200 for an unchanged page that is no longer the last one, and for a changed total', async () => {
    const first = await service.factory.workspace({ name: 'A' });
    const person = await service.factory.user();
    await service.factory.grant(person, first);
    const caller = await service.as(person);
    const path = '/api/workspaces?limit=1';
    const last = await caller.get(path);
    expect(last.headers.get('link')).toBeNull();
    const counted = await caller.get(`${path}&count=true`);
    const second = await service.factory.workspace({ name: 'B' });
    await service.factory.grant(person, second);
    service.changed();
    const longer = await conditional(caller, path, last.headers.get('etag'));
    expect(longer).toMatchObject({ status: 200, body: last.body });
    expect(longer.headers.get('link')).toContain('rel="next"');
    const more = await conditional(caller, `${path}&count=true`, counted.headers.get('etag'));
    expect(more.headers.get('total-count')).toBe('2');
    await service.factory.grant(person, await service.factory.workspace({ name: 'C' }));
    service.changed();
    const other = await conditional(caller, `${path}&count=true`, more.headers.get('etag'));
    expect(other).toMatchObject({ status: 200, body: last.body });
    expect(other.headers.get('total-count')).toBe('3');
    expect((await conditional(caller, path, longer.headers.get('etag'))).status).toBe(304);
  });

  test('return 200 after a change', async () => {
    for (const path of paths) {
      const { headers } = await member.get(path);
      await service.database.query(`UPDATE workspaces SET name = name || '.' WHERE id = $1`, [sales.id]);
      await service.database.query(`UPDATE reports SET name = name || '.' WHERE id = $1`, [revenue.id]);
      service.changed();
      expect((await conditional(member, path, headers.get('etag'))).status).toBe(200);
    }
  });

  test('check rights before the ETag', async () => {
    const stranger = await service.as(await service.factory.user());
    for (const path of [`/api/workspaces/${sales.id}`, `/api/reports/${revenue.id}`]) {
      const { headers } = await member.get(path);
      expect((await conditional(stranger, path, headers.get('etag'))).status).toBe(404);
      expect((await conditional(service.api, path, headers.get('etag'))).status).toBe(401);
      expect((await conditional(stranger, path, '*')).status).toBe(404);
    }
  });

  test('consume the rate limits of address and user', async () => {
    const limited = await startService({ RATE_LIMIT_API_PER_MINUTE: '1000' });
    const caller = await limited.asAdmin();
    const left = async (): Promise<number[]> => {
      const { headers } = await caller.send('GET', '/api/workspaces', {});
      return [...(headers.get('ratelimit') ?? '').matchAll(/r=(\d+)/g)].map(([, count]) => Number(count));
    };
    const [address = 0, person = 0] = await left();
    expect(await left()).toEqual([address - 1, person - 1]);
    await limited.close();
  });

  test('require a token and are not shared between users', async () => {
    const stranger = await service.as(await service.factory.user());
    for (const path of paths) {
      const { body } = await member.get(path);
      expect((await service.api.get(path)).status).toBe(401);
      expect((await stranger.get(path)).body).not.toEqual(body);
    }
  });

  test('AZ-12 do not bypass routing and validation: methods, malformed paths and other queries', async () => {
    const [list = '', one = ''] = paths;
    for (const path of paths) expect((await member.get(path)).status).toBe(200);
    expect((await member.post(list)).status).toBe(405);
    expect((await member.get(`${list}?limit=0`)).status).toBe(400);
    expect((await member.get(`${list}?unknown=1`)).status).toBe(400);
    expect((await member.get(`${one}/..%2f..`)).status).toBe(404);
  });

  test('do not apply to problems', async () => {
    const { headers } = await member.get('/api/users');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
