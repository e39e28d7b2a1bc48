import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { CatalogueReconciliationService } from '../../src/catalogue/catalogue-reconciliation.service.js';
import { CatalogueSyncService } from '../../src/catalogue/catalogue-sync.service.js';
import { SyncLeasesService } from '../../src/catalogue/sync-leases.service.js';
import { Superseded } from '../../src/catalogue/sync-progress.js';
import { SyncRun } from '../../src/catalogue/sync-run.entity.js';
import type { Client } from '../support/client.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import {
  callsTo,
  waitForSync,
  type Run,
  getRun,
  setContent,
  syncOnce,
  catalogueHash,
} from '../support/syncing.js';
import { until } from '../support/until.js';

const workspaces = 60;
const reportsEach = 2;

let service: Service;
let admin: Client;
let replica: InProcessReplica | undefined;

beforeEach(async () => {
  service = await startService();
  admin = await service.asAdmin();
  await setContent(service, { workspaces, reports_per_workspace: reportsEach });
  await service.powerBi.delete('/__emulator/calls');
});
afterEach(async () => {
  await replica?.close();
  replica = undefined;
  await service.close();
});

const runs = () => service.database.getRepository(SyncRun);
const listings = () => callsTo(service, /\/reports$/);
/** A run that a replica left when it had read the first half of the workspaces, which are all stored. Returns its id. */
async function halfDone(): Promise<string> {
  await syncOnce(admin);
  await service.powerBi.delete('/__emulator/calls');
  const stored = await service.database.query<{ reached: string }[]>(
    'SELECT pbi_workspace_id AS reached FROM workspaces ORDER BY pbi_workspace_id LIMIT $1',
    [workspaces / 2],
  );
  const id = uuidv7();
  const at = new Date();
  const counts = { workspacesSeen: workspaces, reportsSeen: workspaces };
  const progress = { startedAt: at, heartbeatAt: at, claim: uuidv7(), ...counts, ...stored.at(-1) };
  await runs().insert({ id, status: 'running', trigger: 'request', queuedAt: at, ...progress });
  return id;
}

/** The first two workspaces, without their content. */
async function emptied(): Promise<{ id: string; pbi: string }[]> {
  const first = await service.database.query<{ id: string; pbi: string }[]>(
    'SELECT id, pbi_workspace_id AS pbi FROM workspaces ORDER BY pbi_workspace_id LIMIT 2',
  );
  const ids = [first.map(({ id }) => id)];
  for (const table of ['reports', 'datasets'])
    await service.database.query(`DELETE FROM ${table} WHERE workspace_id = ANY($1)`, ids);
  await service.database.query('UPDATE workspaces SET report_count = 0 WHERE id = ANY($1)', ids);
  return first;
}

/** Runs the sync on a replica that stops when it has stored the list of workspaces. */
async function stopAfterList(id: string): Promise<void> {
  const reconciliation = service.app.get(CatalogueReconciliationService);
  const reconcile = reconciliation.reconcileWorkspaces.bind(reconciliation);
  reconciliation.reconcileWorkspaces = async (...list) => {
    await reconcile(...list);
    throw new Error('the replica stopped');
  };
  const sync = service.app.get(CatalogueSyncService);
  await expect(sync.run(id, false)).rejects.toThrow('the replica stopped');
  reconciliation.reconcileWorkspaces = reconcile;
}

const latency = (latency_ms: number) => service.powerBi.patch('/__emulator/settings', { latency_ms });

describe('a sync whose replica stops', () => {
  test('is continued by another replica from its checkpoint', async () => {
    await latency(500);
    replica = await startInProcessReplica(service);
    const { id } = (await admin.post<Run>('/api/syncs')).body;
    await until(async () => (await getRun(admin, id)).reports_seen > 20);
    // Whichever has it: both stop, the service comes back first.
    for (const app of [service.app, replica.app]) app.get(CatalogueSyncService).stop();
    const left = await getRun(admin, id);
    expect(left).toMatchObject({ status: 'running', workspaces_total: workspaces, finished_at: null });
    expect(left.reports_seen).toBe(left.workspaces_done * reportsEach);
    await latency(0);
    const run = await waitForSync(admin, id);
    expect(run).toMatchObject({
      status: 'succeeded',
      workspaces_seen: workspaces,
      workspaces_done: workspaces,
      workspaces_failed: 0,
      reports_seen: workspaces * reportsEach,
      errors: [],
    });
    expect(run.calls).toBeGreaterThan(left.calls);
    // Only those that were under way or not yet counted are fetched again.
    expect((await listings()).length).toBeLessThanOrEqual(workspaces + 16);
    const counts = await service.database.query('SELECT report_count FROM workspaces');
    expect(counts).toEqual(Array.from({ length: workspaces }, () => ({ report_count: reportsEach })));
  });

  test('skips the workspaces that are already complete', async () => {
    const id = await halfDone();
    await service.app.get(CatalogueSyncService).run(id);
    expect(await listings()).toHaveLength(workspaces / 2);
    const whole = { reports_seen: 120, workspaces_done: workspaces, workspaces_total: workspaces };
    expect(await getRun(admin, id)).toMatchObject({ status: 'succeeded', ...whole });
  });

  test('reads also a workspace before the checkpoint that is new since then', async () => {
    const id = await halfDone();
    const [first, second] = await emptied();
    await service.database.query('DELETE FROM workspaces WHERE id = $1', [first?.id]);
    await service.database.query('UPDATE workspaces SET missing_since = now() WHERE id = $1', [second?.id]);
    await service.app.get(CatalogueSyncService).run(id);
    expect(await listings()).toHaveLength(workspaces / 2 + 2);
    await expectComplete(id);
  });

  test('reads it also when a second replica stops as soon as it has stored the list', async () => {
    const id = await halfDone();
    const [first, second] = await emptied();
    await service.database.query('DELETE FROM workspaces WHERE id = $1', [first?.id]);
    await service.database.query('UPDATE workspaces SET missing_since = now() WHERE id = $1', [second?.id]);
    await stopAfterList(id);
    await service.app.get(CatalogueSyncService).run(id);
    await expectComplete(id);
  });

  test('is partial when a second replica stops after it could not read such a workspace', async () => {
    const id = await halfDone();
    const [first] = await emptied();
    await service.database.query('DELETE FROM workspaces WHERE id = $1', [first?.id]);
    await service.powerBi.post('/__emulator/faults', { path: `groups/${first?.pbi}/reports$`, status: 401 });
    await stopAfterList(id);
    await service.powerBi.delete('/__emulator/faults');
    await service.app.get(CatalogueSyncService).run(id);
    expect(await getRun(admin, id)).toMatchObject({
      status: 'partial',
      workspaces_failed: 1,
      errors: [{ pbi_workspace_id: first?.pbi, code: 'power_bi_access_denied' }],
    });
  });

  test('does not overwrite the other replica when it resumes late', async () => {
    await latency(500);
    const { id } = (await admin.post<Run>('/api/syncs')).body;
    await until(async () => (await getRun(admin, id)).reports_seen > 0);
    const other = { claim: uuidv7(), workspacesFailed: 7 };
    await runs().update({ id }, other);
    await until(async () => {
      const before = (await listings()).length;
      await until(async () => (await runs().findOneByOrFail({ id })).claim === other.claim);
      return before > 0 && before === (await settled());
    });
    expect(await runs().findOneByOrFail({ id })).toMatchObject({ ...other, status: 'running' });
  });

  test('writes nothing more once another replica has the run', async () => {
    const id = uuidv7();
    await runs().insert({ id, status: 'queued', trigger: 'request', queuedAt: new Date() });
    const leases = service.app.get(SyncLeasesService);
    const late = await leases.acquire(id);
    const other = await leases.acquire(id);
    const before = await catalogueHash(service);
    const reconciliation = service.app.get(CatalogueReconciliationService);
    const listed = { pbiWorkspaceId: randomUUID(), name: 'Late', pbiProfileId: null };
    const content = { reports: [], datasets: [] };
    await expect(reconciliation.write(listed, content, late!)).rejects.toThrow(Superseded);
    await expect(reconciliation.reconcileWorkspaces([listed], late!)).rejects.toThrow(Superseded);
    expect(late!.signal.aborted).toBe(true);
    expect(await catalogueHash(service)).toBe(before);
    expect(await reconciliation.write(listed, content, other!)).toMatchObject({ reports: 0 });
    for (const each of [late, other]) each!.end();
  });

  test('and never returns does not block later syncs', async () => {
    const old = uuidv7();
    const longAgo = new Date(Date.now() - 90_000);
    const row = { id: old, queuedAt: longAgo, startedAt: longAgo, heartbeatAt: longAgo };
    await runs().insert({ ...row, status: 'running', trigger: 'schedule', claim: uuidv7() });
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded' });
    expect(await getRun(admin, old)).toMatchObject({
      status: 'failed',
      errors: [{ code: 'internal_error' }],
    });
  });
});

describe('two replicas run', () => {
  test('one sync at a time, and exactly one follow-up', async () => {
    replica = await startInProcessReplica(service);
    // The first run goes on until all have asked.
    await service.powerBi.post('/__emulator/faults', { path: '/groups', hold: true });
    const there = replica.as(admin);
    const { id } = (await admin.post<Run>('/api/syncs')).body;
    const asked: { body: Run }[] = [];
    try {
      await until(async () => (await getRun(admin, id)).status === 'running');
      const all = [admin, there, admin, there].map((api) => api.post<Run>('/api/syncs'));
      asked.push(...(await Promise.all(all)));
    } finally {
      await service.powerBi.delete('/__emulator/faults');
    }
    const followUps = new Set(asked.map(({ body }) => body.id));
    expect(followUps.size).toBe(1);
    const [followUp] = followUps;
    const first = await waitForSync(there, id);
    const second = await waitForSync(there, followUp!);
    expect(first.status).toBe('succeeded');
    expect(second).toMatchObject({ status: 'succeeded', changes: 0 });
    expect(new Date(second.started_at!).getTime()).toBeGreaterThanOrEqual(
      new Date(first.finished_at!).getTime(),
    );
    expect(await runs().count()).toBe(2);
    expect(await catalogueHash(service)).toMatch(/^[0-9a-f]{32}$/);
  });
});

async function expectComplete(id: string): Promise<void> {
  const counts = await service.database.query('SELECT report_count FROM workspaces');
  expect(counts).toEqual(Array.from({ length: workspaces }, () => ({ report_count: reportsEach })));
  const done = { workspaces_done: workspaces, workspaces_total: workspaces };
  expect(await getRun(admin, id)).toMatchObject({ status: 'succeeded', ...done });
}

/** The number of listings once no more come. */
async function settled(): Promise<number> {
  let last = -1;
  return until(async () => {
    const now = (await listings()).length;
    const isSettled = now === last;
    last = now;
    await service.database.query('SELECT pg_sleep(1.2)');
    return isSettled && now;
  });
}
