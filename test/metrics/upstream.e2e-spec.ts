import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { requestContext } from '../../src/core/http/request-context.js';
import { StoredStateService } from '../../src/health/metrics/stored-state.service.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import { UsageRollupService } from '../../src/usage/usage-rollup.service.js';
import type { Client } from '../support/client.js';
import { until } from '../support/until.js';
import { startWatched, type Watched } from './scrape.js';

let watched: Watched;
let admin: Client;
let reports: { id: string; name: string }[];

beforeAll(async () => {
  watched = await startWatched();
  admin = await watched.service.asAdmin();
  await watched.service.sync();
  ({ reports } = (await admin.get<{ reports: typeof reports }>('/api/reports')).body);
});
afterAll(() => watched.service.close());

const calls = 'vitrine_upstream_call_duration_seconds_count';

/** Nobody's access token outlives the time that passes here. */
async function pass(seconds: number): Promise<void> {
  watched.service.clock.advance(seconds);
  await watched.service.powerBi.post('/__emulator/clock', { advance_seconds: seconds });
  admin = await watched.service.asAdmin();
}

/** What is remembered of the database is asked for anew. */
const forget = () => Object.assign(watched.service.app.get(StoredStateService), { known: undefined });

test('OBS-07 jobs and syncs have their age and result', async () => {
  forget();
  const done = { queue: 'catalogue_sync', result: 'completed' };
  expect(await watched.valueOf('vitrine_job_duration_seconds_count', done)).toBe(1);
  expect(await watched.valueOf('vitrine_jobs', { queue: 'catalogue_sync', state: 'waiting' })).toBe(0);
  expect(await watched.valueOf('vitrine_jobs_oldest_waiting_seconds')).toBeLessThan(60);
  expect(await watched.valueOf('vitrine_database_up')).toBe(1);
  const ended = async () =>
    (await watched.scrape())
      .filter(({ name, value }) => name === 'vitrine_sync_last_result' && value === 1)
      .map(({ labels }) => labels.result);
  expect(await ended()).toEqual(['succeeded']);
  expect(await watched.valueOf('vitrine_sync_workspaces_failed')).toBe(0);
  await pass(3600);
  forget();
  expect(await watched.valueOf('vitrine_sync_age_seconds')).toBeGreaterThan(3500);
});

test('OBS-07 a job that is retried is late since it was created, one of the future is not', async () => {
  const { database, mailbox } = watched.service;
  mailbox.refuseWith({ responseCode: 451, message: 'Try again later' });
  await admin.post('/api/users/invite', { email: 'late@example.com' });
  const postponed = `UPDATE pgboss.job SET created_on = created_on - interval '1 hour'
    WHERE name = 'invitation_mail' AND state = 'retry' AND start_after > now() RETURNING id`;
  await until(async () => (await database.query<[object[], number]>(postponed))[1] > 0);
  mailbox.refuseWith();
  await database.query(
    `INSERT INTO pgboss.job (name, policy, created_on, start_after)
     SELECT name, policy, now() - interval '1 hour', now() + interval '1 hour'
     FROM pgboss.queue WHERE name = 'usage_cleanup'`,
  );
  forget();
  const oldest = 'vitrine_jobs_oldest_waiting_seconds';
  expect(await watched.valueOf(oldest, { queue: 'invitation_mail' })).toBeGreaterThan(3500);
  expect(await watched.valueOf(oldest, { queue: 'usage_cleanup' })).toBeLessThan(3500);
  await database.query(`DELETE FROM pgboss.job WHERE name IN ('invitation_mail', 'usage_cleanup')`);
});

test('OBS-07 the age of the last sync ignores a run of a replica whose clock was ahead', async () => {
  await watched.service.database.query(
    `INSERT INTO sync_runs (id, status, trigger, queued_at, finished_at)
     VALUES (gen_random_uuid(), 'partial', 'schedule', $1, $1)`,
    [watched.service.clock.in(86_400)],
  );
  await pass(3600);
  forget();
  expect(await watched.valueOf('vitrine_sync_age_seconds')).toBeGreaterThan(3500);
  expect(await watched.valueOf('vitrine_sync_last_result', { result: 'succeeded' })).toBe(1);
  await watched.service.database.query('DELETE FROM sync_runs WHERE queued_at > $1', [
    watched.service.clock.now(),
  ]);
});

test('each read of the stored state has a limit of its own, so that a slow one leaves the others their time', async () => {
  const jobs = watched.service.app.get(JobsService);
  const usage = watched.service.app.get(UsageRollupService);
  const limits: unknown[] = [];
  const noted =
    <T>(read: () => Promise<T>) =>
    (): Promise<T> => {
      limits.push(requestContext()?.signal);
      return read();
    };
  const [backlog, lag] = [jobs.backlog.bind(jobs), usage.lagSeconds.bind(usage)];
  jest.spyOn(jobs, 'backlog').mockImplementation(noted(backlog));
  jest.spyOn(usage, 'lagSeconds').mockImplementation(noted(lag));
  try {
    forget();
    await watched.scrape();
    await until(() => limits.length > 1);
  } finally {
    jest.restoreAllMocks();
  }
  const [first, second] = limits;
  expect([first, second]).toEqual([expect.any(AbortSignal), expect.any(AbortSignal)]);
  expect(first).not.toBe(second);
});

test('slow queries of the stored state leave the last one, until it is too old', async () => {
  forget();
  await until(async () => (await watched.valueOf('vitrine_database_up')) === 1);
  const wasRead = (seconds: number) =>
    Object.assign(watched.service.app.get(StoredStateService), {
      refreshedAt: performance.now() - seconds * 1000,
    });
  const state = async () => {
    const samples = await watched.scrape();
    const names = ['vitrine_database_up', 'vitrine_sync_last_result', 'vitrine_webhook_backlog_age_seconds'];
    return names.map((name) => samples.find((sample) => sample.name === name)?.value);
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  const jobs = watched.service.app.get(JobsService);
  const backlog = jobs.backlog.bind(jobs);
  jest.spyOn(jobs, 'backlog').mockImplementation(() => promise.then(backlog));
  try {
    wasRead(60);
    expect(await state()).toEqual([1, expect.any(Number), expect.any(Number)]);
    wasRead(120);
    expect(await state()).toEqual([0, undefined, undefined]);
  } finally {
    jest.restoreAllMocks();
    resolve();
  }
  await until(async () => (await state())[0] === 1);
});

describe('OBS-07 upstream', () => {
  test('every attempt has its operation and outcome', async () => {
    expect(await watched.valueOf(calls, { upstream: 'entra', operation: 'signing_in', outcome: 'ok' })).toBe(
      1,
    );
    expect(await watched.valueOf(calls, { operation: 'listing', outcome: 'ok' })).toBeGreaterThan(5);
    const issue = () => admin.post(`/api/reports/${reports[0]?.id}/embed-token`);
    expect((await issue()).status).toBe(200);
    expect(await watched.valueOf(calls, { operation: 'embedding', outcome: 'ok' })).toBe(1);
    await watched.service.powerBi.post('/__emulator/faults', {
      path: 'GenerateToken',
      status: 500,
      times: 1,
    });
    await admin.post(`/api/reports/${reports[1]?.id}/embed-token`);
    expect(await watched.valueOf(calls, { operation: 'embedding', outcome: 'server_error' })).toBe(1);
    expect(await watched.valueOf('vitrine_upstream_retries_total', { upstream: 'power_bi' })).toBe(1);
    expect(await watched.valueOf('vitrine_upstream_breaker_open', { upstream: 'power_bi' })).toBe(0);
    expect(await watched.valueOf('vitrine_upstream_calls_running')).toBe(0);
  });

  test('the remaining lifetime of a revoked token is exported', async () => {
    await admin.post(`/api/reports/${reports[0]?.id}/embed-token`);
    forget();
    expect(await watched.valueOf('vitrine_embed_revoked_residual_seconds')).toBe(0);
    await admin.post('/api/embed-grants/revoke', { report_id: reports[0]?.id });
    forget();
    const left = (await watched.valueOf('vitrine_embed_revoked_residual_seconds')) ?? 0;
    expect(left).toBeGreaterThan(1800);
    await pass(left + 1);
    forget();
    expect(await watched.valueOf('vitrine_embed_revoked_residual_seconds')).toBe(0);
  });

  test('throttling by Power BI and an open circuit breaker are exported', async () => {
    const { powerBi } = watched.service;
    await powerBi.post('/__emulator/faults', {
      path: 'GenerateToken',
      status: 429,
      retry_after: 30,
      times: 1,
    });
    await admin.post(`/api/reports/${reports[2]?.id}/embed-token`);
    expect(await watched.valueOf('vitrine_upstream_pauses_total', { upstream: 'power_bi' })).toBe(1);
    expect(await watched.valueOf('vitrine_upstream_pause_seconds')).toBeGreaterThan(20);
    await pass(60);
    await powerBi.post('/__emulator/faults', { path: 'GenerateToken', status: 500 });
    await until(async () => {
      await admin.post(`/api/reports/${reports[3]?.id}/embed-token`);
      return (await watched.valueOf('vitrine_upstream_breaker_open', { upstream: 'power_bi' })) === 1;
    });
    await powerBi.delete('/__emulator/faults');
  });
});

test('when the database fails only its own metrics are missing', async () => {
  await watched.service.database.query('ALTER TABLE sync_runs RENAME TO hidden_runs');
  forget();
  const samples = await watched.scrape();
  await watched.service.database.query('ALTER TABLE hidden_runs RENAME TO sync_runs');
  const of = (name: string) => samples.filter((sample) => sample.name === name).map(({ value }) => value);
  expect([of('vitrine_database_up'), of('vitrine_sync_age_seconds'), of('vitrine_ready')]).toEqual([
    [0],
    [],
    [1],
  ]);
});
