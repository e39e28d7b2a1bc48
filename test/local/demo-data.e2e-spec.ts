import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoViewers } from '../../local/demo-people.js';
import { startService } from '../support/service.js';
import { until } from '../support/until.js';
import { differences } from '../usage/figures.js';
import { inDatabase } from './owner-database.js';
import { Started, temporaryDataDir } from './started.js';

interface Overview {
  views: number;
  issued_views: number;
  viewers: number;
  failures: number;
  opening_ms: { p50: number };
  buckets: { views: number }[];
}

const { dataDir, remove } = temporaryDataDir();
const planFile = join(dataDir, 'demo-data.json');
let started: Started;
let token: string;

const start = async (): Promise<void> => {
  started = await new Started(dataDir).ready();
  token = await started.signIn();
};
const get = <T>(path: string): Promise<T> => started.get<T>(path, token);
const overview = (): Promise<Overview> => get<Overview>('/api/usage/overview?days=90&bucket=week');

/** Rows of the demo data by table. */
const rows = () =>
  inDatabase(dataDir, (query) =>
    query(`SELECT (SELECT count(*) FROM usage_views) AS views, (SELECT count(*) FROM users) AS users,
      (SELECT count(*) FROM usage_people) AS people, (SELECT count(*) FROM issued_tokens) AS tokens,
      (SELECT count(*) FROM issued_tokens WHERE request_id = 'demo-data') AS marked,
      (SELECT count(*) FROM usage_views_default) AS unpartitioned,
      (SELECT sum(issued_views) FROM usage_report_day) AS issued`),
  );

beforeAll(async () => {
  await start();
  await started.hasDemoData();
});
afterAll(async () => {
  await started?.signal('SIGTERM');
  await remove();
});

describe('the first start', () => {
  test('has 90 days of usage', async () => {
    const { views, issued_views, viewers, failures, opening_ms, buckets } = await overview();
    expect(views).toBeGreaterThan(500);
    expect(issued_views).toBeGreaterThan(views);
    expect(viewers).toBe(demoViewers.length);
    expect(failures).toBeGreaterThan(0);
    expect(failures).toBeLessThan(views / 20);
    expect(opening_ms.p50).toBeGreaterThan(1000);
    // The first and the last week are parts of a week.
    expect(buckets.slice(1, -1).filter((week) => week.views < 5)).toEqual([]);
    expect(buckets.length).toBeGreaterThanOrEqual(13);
  });

  test('has unused reports, and viewers with a name', async () => {
    const { reports: unused } = await get<{ reports: { name: string }[] }>('/api/usage/unused?days=30');
    expect(unused.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['Invoice register', 'Plant utilisation']),
    );
    expect(unused.map(({ name }) => name)).not.toContain('Revenue overview');
    const { reports } = await get<{ reports: { report_id: string; name: string }[] }>(
      '/api/usage/reports?days=90',
    );
    const revenue = reports.find(({ name }) => name === 'Revenue overview');
    const { people } = await get<{ people: { name: string }[] }>(
      `/api/usage/reports/${revenue?.report_id}?days=90`,
    );
    expect(people.map(({ name }) => name)).toEqual(expect.arrayContaining(['Ada Lovelace', 'Emil Novak']));
  });

  test('counts each view once, in the partition of its month', async () => {
    expect(await inDatabase(dataDir, (query) => differences({ database: { query } } as never))).toEqual([]);
    const [counts] = await rows();
    expect(counts).toMatchObject({ unpartitioned: '0', users: String(demoViewers.length + 1) });
  });

  test('has no token that is still valid, and the tokens can be listed and revoked', async () => {
    const { embed_grants } = await get<{ embed_grants: { request_id: string; expires_at: string }[] }>(
      '/api/embed-grants?limit=5',
    );
    expect(embed_grants).toHaveLength(5);
    expect(embed_grants.filter(({ expires_at }) => Date.parse(expires_at) > Date.now())).toEqual([]);
    expect(embed_grants.every(({ request_id }) => request_id === 'demo-data')).toBe(true);
    const { users } = await get<{ users: { id: string; email: string }[] }>('/api/users?q=lena');
    const revoked = await started.post(
      '/api/embed-grants/revoke',
      { user_id: users[0]?.id, reason: 'Left' },
      token,
    );
    expect(revoked.status).toBe(201);
  });

  test('has users who signed in before their last view, not all at the start', async () => {
    const { users } = await get<{ users: { email: string; created_at: string; last_sign_in_at: string }[] }>(
      '/api/users?kind=person',
    );
    const visitors = users.filter(({ email }) => demoViewers.some((person) => person.email === email));
    const anHourAgo = Date.now() - 3_600_000;
    expect(visitors).toHaveLength(demoViewers.length);
    expect(visitors.filter(({ last_sign_in_at: at }) => Date.parse(at) > anHourAgo)).toEqual([]);
    expect(visitors.filter(({ created_at, last_sign_in_at }) => created_at > last_sign_in_at)).toEqual([]);
  });

  test('is marked as demo data in the portal', async () => {
    const page = await (await fetch(started.url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('"hasDemoUsage":true');
  });
});

describe('a restart', () => {
  test('adds nothing', async () => {
    const before = [await rows(), await overview()];
    await started.signal('SIGTERM');
    await start();
    expect([await rows(), await overview()]).toEqual(before);
  });

  test('after a start that was killed repeats it, and adds nothing twice', async () => {
    const before = [await rows(), await overview()];
    await started.signal('SIGTERM');
    writeFileSync(planFile, readFileSync(planFile, 'utf8').replace('true', 'false'));
    await start();
    await started.hasDemoData();
    expect(await rows()).toEqual(before[0]);
    expect(await inDatabase(dataDir, (query) => differences({ database: { query } } as never))).toEqual([]);
    await until(async () => JSON.stringify(await overview()) === JSON.stringify(before[1]));
  });
});

test('DEMO_DATA=false starts without usage and without demo users', async () => {
  const other = temporaryDataDir();
  const plain = await new Started(other.dataDir, { DEMO_DATA: 'false' }).ready();
  try {
    const admin = await plain.signIn();
    expect(await plain.get('/api/usage/overview?days=90', admin)).toMatchObject({
      views: 0,
      issued_views: 0,
    });
    const { users } = await plain.get<{ users: object[] }>('/api/users', admin);
    expect(users).toHaveLength(1);
    const page = await (await fetch(plain.url, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('"hasDemoUsage":false');
  } finally {
    await plain.signal('SIGTERM');
    await other.remove();
  }
});

test('a service that is not a local start has no usage', async () => {
  const service = await startService();
  try {
    const admin = await service.as(await service.factory.admin());
    const { body } = await admin.get('/api/usage/overview?days=90');
    expect(body).toMatchObject({ views: 0, issued_views: 0, viewers: 0 });
  } finally {
    await service.close();
  }
});
