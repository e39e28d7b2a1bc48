import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { DatabaseService } from '../src/core/database/database.service.js';
import { JobsService } from '../src/platform/jobs/jobs.service.js';
import { FreshnessService } from '../src/reports/freshness/freshness.service.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

interface Freshness {
  name: string;
  data_as_of: string | null;
  refresh_status: string | null;
  refresh_failed_since: string | null;
}

const unknown = { data_as_of: null, refresh_status: null, refresh_failed_since: null };
const refreshes = '/datasets/[^/]+/refreshes$';
const live = { ...unknown, refresh_status: 'live' };

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  await service.sync();
  admin = await service.asAdmin();
});
beforeEach(async () => {
  // The rollup, once a minute, makes a view of every issued token.
  await service.database.query(
    'DELETE FROM dataset_refreshes; DELETE FROM usage_last_views; DELETE FROM issued_tokens',
  );
  await service.database.query(
    'UPDATE reports SET data_as_of = NULL, refresh_status = NULL, refresh_failed_since = NULL',
  );
  await service.powerBi.post('/__emulator/reset');
});
afterAll(() => service.close());

const run = (): Promise<void> => service.app.get(FreshnessService).run();

async function view(names: readonly string[], daysAgo = 0): Promise<void> {
  const at = new Date(service.clock.now().getTime() - daysAgo * 86_400_000);
  await service.database.query(
    `INSERT INTO usage_last_views SELECT id, $2 FROM reports WHERE name = ANY($1)
     ON CONFLICT (report_id) DO UPDATE SET last_viewed_at = excluded.last_viewed_at`,
    [names, at],
  );
}

async function read(name: string): Promise<Freshness & { id: string }> {
  const { body } = await admin.get<{ reports: (Freshness & { id: string })[] }>(
    `/api/reports?q=${encodeURIComponent(name)}`,
  );
  return body.reports.find((report) => report.name === name)!;
}

async function calls(path: string): Promise<string[]> {
  const { body } = await service.powerBi.get<{ calls: { path: string; query: string }[] }>(
    `/__emulator/calls?path=${encodeURIComponent(path)}`,
  );
  return body.calls.map((call) => call.path);
}

const fault = (path: string, fields: object) =>
  service.powerBi.post('/__emulator/faults', { path, ...fields });
const minutesAgo = (minutes: number): number => Date.now() - minutes * 60_000;
const isAbout = (time: string | null, expected: number): boolean =>
  Math.abs(Date.parse(time ?? '') - expected) < 600_000;

describe('the freshness of reports', () => {
  test('is that of their datasets, in lists, single reads, favourites and recents', async () => {
    await view(['Revenue overview', 'Profit and loss', 'Stock levels']);
    await run();
    const revenue = await read('Revenue overview');
    expect(revenue).toMatchObject({ refresh_status: 'succeeded', refresh_failed_since: null });
    expect(isAbout(revenue.data_as_of, minutesAgo(20))).toBe(true);
    const profit = await read('Profit and loss');
    expect(profit.refresh_status).toBe('failed');
    expect(isAbout(profit.data_as_of, minutesAgo(26 * 60 - 5))).toBe(true);
    expect(isAbout(profit.refresh_failed_since, minutesAgo(14 * 60 - 1))).toBe(true);
    expect(await read('Stock levels')).toMatchObject(live);
    // Another report of the same dataset, which was not opened.
    expect(await read('Pipeline')).toMatchObject({
      refresh_status: 'succeeded',
      data_as_of: revenue.data_as_of,
    });
    expect((await admin.get(`/api/reports/${profit.id}`)).body).toEqual(profit);
    await admin.put(`/api/reports/${profit.id}/favourite`);
    expect((await admin.get('/api/users/me/favourites')).body).toEqual({ favourites: [profit] });
    expect((await admin.post(`/api/reports/${profit.id}/embed-token`)).status).toBe(200);
    expect((await admin.get('/api/users/me/recents')).body).toEqual({ recents: [profit] });
  });

  test('is null for reports without a view in 7 days, without history and without the right to read it', async () => {
    await view(['Revenue overview'], 8);
    await view(['Trial dashboard', 'Partner scorecard', 'Invoice register']);
    await run();
    for (const name of ['Revenue overview', 'Trial dashboard', 'Partner scorecard', 'Invoice register']) {
      expect(await read(name)).toMatchObject(unknown);
    }
    expect(await calls('c0000001')).toEqual([]);
  });

  test('does not change when the report was updated', async () => {
    const before = await admin.get<{ reports: { updated_at: string }[] }>('/api/reports?q=Revenue');
    await view(['Revenue overview']);
    await run();
    const after = await admin.get<{ reports: { updated_at: string }[] }>('/api/reports?q=Revenue');
    expect(after.body.reports[0]?.updated_at).toBe(before.body.reports[0]?.updated_at);
  });
});

describe('the freshness of reports of which nothing is known any more', () => {
  async function checkedYesterday(): Promise<void> {
    await view(['Revenue overview']);
    await run();
    expect((await read('Revenue overview')).refresh_status).toBe('succeeded');
    await view(['Revenue overview'], 8);
    await service.database.query(
      `UPDATE dataset_refreshes SET checked_at = checked_at - interval '25 hours'`,
    );
  }

  test('becomes unknown when the dataset was not checked for a day', async () => {
    await checkedYesterday();
    await run();
    expect(await read('Revenue overview')).toMatchObject(unknown);
  });

  test('becomes unknown also without scheduled syncs', async () => {
    await checkedYesterday();
    const jobs = service.app.get(JobsService);
    await service.app.get(DatabaseService).transaction((tx) => jobs.send(tx, 'dataset_refreshes', {}));
    await until(async () => (await read('Revenue overview')).refresh_status === null);
    expect(await read('Revenue overview')).toMatchObject(unknown);
    expect(await calls(refreshes)).toHaveLength(1);
  });

  test.each([
    ['has another dataset now', `pbi_dataset_id = 'former'`],
    ['returns after its retirement', 'retired_at = now()'],
  ])('becomes unknown when the report %s', async (_case, before) => {
    await service.database.query(
      `UPDATE reports SET ${before}, data_as_of = now(), refresh_status = 'failed', refresh_failed_since = now()
       WHERE name = 'Revenue overview'`,
    );
    await service.sync();
    expect(await read('Revenue overview')).toMatchObject(unknown);
  });
});

describe('the calls to Power BI', () => {
  const advance = async (seconds: number): Promise<void> => {
    await service.database.query(
      `UPDATE dataset_refreshes SET next_at = next_at - make_interval(secs => $1)`,
      [seconds],
    );
  };

  test('are one for each dataset, however many reports it has, and again after ten minutes', async () => {
    await view(['Revenue overview', 'Pipeline', 'Product mix', 'Headcount']);
    await run();
    expect(await calls(refreshes)).toHaveLength(2);
    await run();
    expect(await calls(refreshes)).toHaveLength(2);
    await advance(600);
    await run();
    expect(await calls(refreshes)).toHaveLength(4);
  });

  test('read the history of a failing dataset once', async () => {
    await view(['Profit and loss']);
    await run();
    expect(await calls(refreshes)).toHaveLength(2);
    const before = await read('Profit and loss');
    await advance(600);
    await run();
    expect(await calls(refreshes)).toHaveLength(3);
    expect(await read('Profit and loss')).toEqual(before);
  });

  test('follow a running refresh', async () => {
    await view(['Revenue overview']);
    const token = 'groups/a0000001-0000-4000-8000-000000000000/datasets/c0000001-0000-4000-8000-000000000001';
    await service.powerBi.patch('/__emulator/settings', { job_seconds: 600 });
    const { access_token } = await bearer();
    const started = await fetch(`${service.emulator.url}/v1.0/myorg/${token}/refreshes`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
    });
    expect(started.status).toBe(202);
    await run();
    const running = await read('Revenue overview');
    expect(running.refresh_status).toBe('running');
    expect(isAbout(running.data_as_of, minutesAgo(20))).toBe(true);
    await service.powerBi.post('/__emulator/clock', { advance_seconds: 600 });
    await advance(60);
    await run();
    expect((await read('Revenue overview')).refresh_status).toBe('succeeded');
  });

  test('end while Power BI throttles, and keep what is known', async () => {
    await view(['Revenue overview']);
    await run();
    const before = await read('Revenue overview');
    await advance(600);
    await view(['Headcount', 'Profit and loss', 'Stock levels']);
    await fault(refreshes, { status: 429, retry_after: 30 });
    await run();
    // The first run's call, and at most one for each of the two checks at the same time.
    expect((await calls(refreshes)).length).toBeLessThanOrEqual(1 + 2);
    expect(await read('Revenue overview')).toEqual(before);
    await service.database.query('DELETE FROM power_bi_pauses');
    service.clock.advance(60);
  });

  test('continue after a dataset that Power BI cannot read', async () => {
    await view(['Revenue overview', 'Headcount']);
    await fault('/c0000001-0000-4000-8000-000000000001/refreshes', { status: 200, body: { value: [{}] } });
    await run();
    expect(await read('Headcount')).toMatchObject({ refresh_status: 'succeeded' });
    expect(await read('Revenue overview')).toMatchObject(unknown);
  });

  async function bearer(): Promise<{ access_token: string }> {
    const {
      POWERBI_TENANT_ID: tenant,
      POWERBI_CLIENT_ID: id,
      POWERBI_CLIENT_SECRET: secret,
    } = service.environment;
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: id ?? '',
      client_secret: secret ?? '',
      scope: 'https://analysis.windows.net/powerbi/api/.default',
    });
    const response = await fetch(`${service.emulator.url}/${tenant}/oauth2/v2.0/token`, {
      method: 'POST',
      body: form,
    });
    return (await response.json()) as { access_token: string };
  }
});

describe('a failed refresh', () => {
  const hoursAgo = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();
  type Refresh = [status: string, hoursAgo: number];

  /** What Power BI returns as the history of every dataset, newest first. */
  async function setHistory(...history: Refresh[]): Promise<void> {
    await service.powerBi.delete('/__emulator/faults');
    const value = history.map(([status, hours]) => ({ status, endTime: hoursAgo(hours) }));
    await fault(refreshes, { status: 200, body: { value } });
  }
  /** As if the last check was this long ago. */
  const lastCheck = (hours: number) =>
    service.database.query('UPDATE dataset_refreshes SET next_at = $1, checked_at = $1', [hoursAgo(hours)]);
  /** Runs, and returns the number of new events. */
  async function eventsOfRun(): Promise<number> {
    const events = () => service.database.query<[]>(`SELECT FROM events WHERE type = 'refresh.failed'`);
    const before = (await events()).length;
    await run();
    return (await events()).length - before;
  }

  test('after a success that no check found is one event, and the data is that of the success', async () => {
    await view(['Profit and loss']);
    await setHistory(['Failed', 6], ['Completed', 7]);
    await run();
    await lastCheck(5);
    await setHistory(['Failed', 1], ['Completed', 3], ['Failed', 6], ['Completed', 7]);
    expect(await eventsOfRun()).toBe(1);
    const { data_as_of, refresh_failed_since } = await read('Profit and loss');
    expect(isAbout(data_as_of, minutesAgo(3 * 60))).toBe(true);
    expect(isAbout(refresh_failed_since, minutesAgo(60))).toBe(true);
    await lastCheck(0);
    expect(await eventsOfRun()).toBe(0);
  });

  test('of a dataset that keeps failing is one event for each check that finds one', async () => {
    await view(['Profit and loss']);
    await setHistory(['Completed', 7]);
    await run();
    await lastCheck(6.5);
    await setHistory(['Failed', 6], ['Completed', 7]);
    expect(await eventsOfRun()).toBe(1);
    await lastCheck(5.5);
    await setHistory(['Failed', 5], ['Failed', 6], ['Completed', 7]);
    expect(await eventsOfRun()).toBe(1);
    expect(isAbout((await read('Profit and loss')).refresh_failed_since, minutesAgo(6 * 60))).toBe(true);
  });

  test('is no event at the first check, after one that found nothing, and when the report is viewed again', async () => {
    await view(['Profit and loss']);
    await setHistory(['Failed', 6], ['Completed', 7]);
    expect(await eventsOfRun()).toBe(0);
    expect((await read('Profit and loss')).refresh_status).toBe('failed');
    await lastCheck(5);
    await service.powerBi.delete('/__emulator/faults');
    await fault(refreshes, { status: 403, body: { error: { code: 'Forbidden' } } });
    await run();
    expect((await read('Profit and loss')).refresh_status).toBeNull();
    await lastCheck(4);
    await setHistory(['Failed', 6], ['Completed', 7]);
    expect(await eventsOfRun()).toBe(0);
    expect((await read('Profit and loss')).refresh_status).toBe('failed');
    await view(['Profit and loss'], 8);
    await lastCheck(25);
    await run();
    await view(['Profit and loss']);
    expect(await eventsOfRun()).toBe(0);
    expect((await read('Profit and loss')).refresh_status).toBe('failed');
  });
});

describe('with the catalogue of the admin API', () => {
  test('one call for all datasets on capacities', async () => {
    const tenant = await startService({ POWERBI_CATALOGUE: 'admin' });
    try {
      await tenant.sync();
      await tenant.database.query('INSERT INTO usage_last_views SELECT id, now() FROM reports');
      await tenant.app.get(FreshnessService).run();
      const rows = await tenant.database.query<{ name: string; status: string }[]>(
        `SELECT name, refresh_status AS status FROM reports
         WHERE name IN ('Revenue overview', 'Headcount', 'Profit and loss') ORDER BY name`,
      );
      expect(rows.map(({ status }) => status)).toEqual(['succeeded', 'failed', 'succeeded']);
      const { body } = await tenant.powerBi.get<{ calls: { path: string }[] }>('/__emulator/calls');
      const paths = body.calls.map(({ path }) => path);
      expect(paths.filter((path) => path.endsWith('/admin/capacities/refreshables'))).toHaveLength(1);
      expect(paths.filter((path) => /c0000001-.*-000000000001\/refreshes$/.test(path))).toEqual([]);
    } finally {
      await tenant.close();
    }
  });
});
