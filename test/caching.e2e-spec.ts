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

describe('reads', () => {
  test('say that only this caller may keep them, and must ask again', async () => {
    for (const path of [...paths, '/api/users/me', '/api/health']) {
      const { headers } = await member.get(path);
      expect(headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  test('304 without a body while nothing has changed', async () => {
    for (const path of paths) {
      const { headers } = await member.get(path);
      const again = await conditional(member, path, headers.get('etag'));
      expect(again).toMatchObject({ status: 304, body: {} });
      expect(again.headers.get('etag')).toBe(headers.get('etag'));
      expect(again.headers.get('cache-control')).toBe('private, no-cache');
    }
  });

  test('200 once something has changed', async () => {
    for (const path of paths) {
      const { headers } = await member.get(path);
      await service.database.query(`UPDATE workspaces SET name = name || '.' WHERE id = $1`, [sales.id]);
      await service.database.query(`UPDATE reports SET name = name || '.' WHERE id = $1`, [revenue.id]);
      service.changed();
      expect((await conditional(member, path, headers.get('etag'))).status).toBe(200);
    }
  });

  test('check rights before the tag', async () => {
    const stranger = await service.as(await service.factory.user());
    for (const path of [`/api/workspaces/${sales.id}`, `/api/reports/${revenue.id}`]) {
      const { headers } = await member.get(path);
      expect((await conditional(stranger, path, headers.get('etag'))).status).toBe(404);
      expect((await conditional(service.api, path, headers.get('etag'))).status).toBe(401);
      expect((await conditional(stranger, path, '*')).status).toBe(404);
    }
  });

  test('problems are not kept', async () => {
    const { headers } = await member.get('/api/users');
    expect(headers.get('cache-control')).toBe('no-store');
  });
});
