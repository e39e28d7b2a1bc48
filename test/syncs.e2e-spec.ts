import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { CatalogueSyncService } from '../src/catalogue/catalogue-sync.service.js';
import { SyncsService } from '../src/catalogue/syncs.service.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

interface Run {
  id: string;
  status: string;
  changes: number;
  finished_at: string | null;
}

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  admin = await service.asAdmin();
});

const request = () => admin.post<Run>('/api/syncs');
const get = async (id: string) => (await admin.get<Run>(`/api/syncs/${id}`)).body;
const finished = (id: string) =>
  until(async () => {
    const run = await get(id);
    return run.finished_at !== null && run;
  });

/** A sync that runs meanwhile ends after the work. */
async function whileListing<T>(work: () => Promise<T>): Promise<T> {
  await service.powerBi.post('/__emulator/faults', { path: '/groups', hold: true });
  try {
    return await work();
  } finally {
    await service.powerBi.delete('/__emulator/faults');
  }
}

describe('POST /api/syncs', () => {
  test('202: the run, with its Location', async () => {
    const { status, headers, body } = await request();
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/api/syncs/${body.id}`);
    expect(body).toEqual({
      id: expect.any(String),
      status: 'queued',
      trigger: 'request',
      workspaces_seen: 0,
      workspaces_done: 0,
      workspaces_total: null,
      workspaces_failed: 0,
      reports_seen: 0,
      changes: 0,
      calls: 0,
      throttled_seconds: 0,
      errors: [],
      queued_at: expect.any(String),
      started_at: null,
      finished_at: null,
    });
    expect(await finished(body.id)).toMatchObject({
      status: 'succeeded',
      workspaces_seen: 7,
      workspaces_done: 7,
      workspaces_total: 7,
      reports_seen: 22,
      errors: [],
    });
  });

  test('202: while one is queued, that one is returned', async () => {
    const responses = await Promise.all([request(), request(), request()]);
    const ids = [...new Set(responses.map(({ body }) => body.id))];
    // The first may have begun before the last was asked for, which is then the one that follows.
    expect(ids.length).toBeLessThanOrEqual(2);
    for (const id of ids) await finished(id);
  });

  test('202: while one is running, exactly one more is queued', async () => {
    const { first, followUps } = await whileListing(async () => {
      const { body } = await request();
      await until(async () => (await get(body.id)).status === 'running');
      return { first: body, followUps: await Promise.all([request(), request()]) };
    });
    expect(followUps.map(({ body }) => body.status)).toEqual(['queued', 'queued']);
    expect(followUps[0].body.id).toBe(followUps[1].body.id);
    expect(followUps[0].body.id).not.toBe(first.id);
    expect(await finished(first.id)).toMatchObject({ status: 'succeeded' });
    expect(await finished(followUps[0].body.id)).toMatchObject({ status: 'succeeded' });
  });

  test('202: a run whose job fails several times, as in an outage of minutes, is not given up', async () => {
    const run = jest.spyOn(service.app.get(CatalogueSyncService), 'run');
    for (let attempt = 1; attempt <= 5; attempt += 1) run.mockRejectedValueOnce(new Error('no database'));
    const { id } = (await request()).body;
    const ended = await until(async () => {
      await service.database.query(
        `UPDATE pgboss.job SET start_after = now() WHERE name = 'catalogue_sync' AND state = 'retry'`,
      );
      const { status, finished_at } = await get(id);
      return finished_at !== null && status;
    });
    expect([ended, run.mock.calls.length]).toEqual(['succeeded', 6]);
  });

  test('401: without a token; 403: a member', async () => {
    const member = await service.as(await service.factory.user());
    expect((await service.api.post('/api/syncs')).status).toBe(401);
    expect((await member.post('/api/syncs')).status).toBe(403);
  });
});

describe('GET /api/syncs', () => {
  test('200: newest first', async () => {
    const { id } = (await request()).body;
    await finished(id);
    const { status, body } = await admin.get<{ syncs: Run[] }>('/api/syncs?limit=2');
    expect(status).toBe(200);
    expect(body.syncs[0]?.id).toBe(id);
  });

  test('200: oldest first', async () => {
    const { body } = await admin.get<{ syncs: { queued_at: string }[] }>('/api/syncs?sort=queued_at');
    const times = body.syncs.map(({ queued_at }) => queued_at);
    expect(times).toEqual(times.toSorted());
  });

  test('400: runs have no name search', async () => {
    expect((await admin.get('/api/syncs?q=x')).body.detail).toContain('/q');
  });

  test('403: a member', async () => {
    const member = await service.as(await service.factory.user());
    expect((await member.get('/api/syncs')).status).toBe(403);
  });
});

describe('GET /api/syncs/:id', () => {
  test('200: with progress and counts', async () => {
    const { id } = (await request()).body;
    const run = await finished(id);
    expect(run).toMatchObject({ id, status: 'succeeded', calls: expect.any(Number) });
  });

  test('400: an invalid id', async () => {
    expect((await admin.get('/api/syncs/7')).status).toBe(400);
  });

  test('403: a member', async () => {
    const member = await service.as(await service.factory.user());
    expect((await member.get(`/api/syncs/${uuidv7()}`)).status).toBe(403);
  });

  test('404: an unknown id', async () => {
    const response = await admin.get(`/api/syncs/${uuidv7()}`);
    expect(response).toMatchObject({ status: 404, body: { code: 'sync_not_found' } });
  });
});

describe('a replica whose clock was ahead', () => {
  const tomorrow = () => service.clock.in(86_400);
  const scheduled = async () => {
    const { body } = await admin.get<{ syncs: { trigger: string }[] }>('/api/syncs?limit=1000');
    return body.syncs.filter(({ trigger }) => trigger === 'schedule').length;
  };
  const check = () => service.app.get(SyncsService, { strict: false }).requestIfOlder(15, 'schedule');

  test.each([
    ['queued a run', { status: 'succeeded', queuedAt: tomorrow }],
    ['runs one', { status: 'running', queuedAt: () => service.clock.in(-86_400) }],
  ])('does not stop the schedule of the others: it %s', async (_name, { status, queuedAt }) => {
    await service.database.query('DELETE FROM sync_runs');
    const end = status === 'succeeded' ? tomorrow() : null;
    await service.database.query(
      `INSERT INTO sync_runs (id, status, trigger, queued_at, heartbeat_at, finished_at)
       VALUES ($1, $2, 'request', $3, $4, $5)`,
      [uuidv7(), status, queuedAt(), tomorrow(), end],
    );
    await check();
    await check();
    expect(await scheduled()).toBe(1);
  });
});

describe('what is stored of a run', () => {
  const ago = (days: number): Date => service.clock.in(-days * 86_400);
  const insert = async (status: string, at: Date): Promise<string> => {
    const id = uuidv7();
    await service.database.query(
      `INSERT INTO sync_runs (id, status, trigger, queued_at, finished_at) VALUES ($1, $2, 'schedule', $3, $3)`,
      [id, status, at],
    );
    return id;
  };
  const cleanUp = () => service.app.get(SyncsService, { strict: false }).removeOld();
  const kept = async (...ids: string[]) => {
    const { body } = await admin.get<{ syncs: Run[] }>('/api/syncs?limit=1000');
    return ids.filter((id) => body.syncs.some((run) => run.id === id));
  };

  test('is deleted 90 days after its end, except the last run and the last that succeeded', async () => {
    await service.database.query('DELETE FROM sync_runs');
    const succeededAt = ago(200);
    const [first, partial, failed, last] = [
      await insert('succeeded', ago(300)),
      await insert('partial', succeededAt),
      await insert('failed', ago(150)),
      await insert('failed', ago(120)),
    ];
    await cleanUp();
    expect(await kept(first, partial, failed, last)).toEqual([partial, last]);
    expect(await service.app.get(SyncsService, { strict: false }).lastFinishedAt()).toMatchObject({
      last: { id: last },
      succeededAt,
    });
    const recent = await insert('succeeded', ago(89));
    await cleanUp();
    expect(await kept(partial, last, recent)).toEqual([recent]);
  });
});
