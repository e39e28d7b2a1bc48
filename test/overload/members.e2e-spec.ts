import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/core/database/data-source.js';
import { type ApiResponse, Client } from '../support/client.js';
import { guardConnections } from '../support/connection-guard.js';
import { createDatabase } from '../support/database.js';
import { startReplicaProcess, type ReplicaProcess } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';

/** 480 edits in all, each burst of more than the pool has connections. */
const BURSTS = 40;
const BURST = 12;
const SAMPLES_PER_BURST = 8;
/** Milliseconds by which a machine with other work may delay a response. */
const FLOOR_MS = 250;

let service: Service;
let replica: ReplicaProcess;

// The service is a process of its own: the latencies are not those of the test's event loop.
beforeAll(async () => {
  service = await startService();
  replica = await startReplicaProcess(service.environment);
}, 60_000);
afterAll(async () => {
  await replica.close();
  await service.close();
});

const onReplica = ({ token }: Client): Client => new Client(replica.url, token);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const statusesOf = (responses: readonly ApiResponse[]): number[] => [
  ...new Set(responses.map(({ status }) => status)),
];

/** Requests one after the other, with `disturb` called before every eighth; the 95th percentile in milliseconds. */
async function measure(
  client: Client,
  disturb: () => void = () => undefined,
): Promise<{ p95: number; statuses: number[] }> {
  const taken: number[] = [];
  const responses: ApiResponse[] = [];
  for (const sample of range(BURSTS * SAMPLES_PER_BURST)) {
    if (sample % SAMPLES_PER_BURST === 0) disturb();
    const began = performance.now();
    responses.push(await client.get('/api/users?limit=5'));
    taken.push(performance.now() - began);
  }
  taken.sort((a, b) => a - b);
  return { p95: taken[Math.floor(taken.length * 0.95)] as number, statuses: statusesOf(responses) };
}

describe('member edits', () => {
  test('without permission do not slow down other callers: p95 stays below three times its value (H1)', async () => {
    const { factory } = service;
    const person = await factory.user();
    const viewer = onReplica(await service.asMember(await factory.workspace()));
    const other = onReplica(await service.asAdmin());
    await measure(other);
    const quiet = await measure(other);
    const attacks: Promise<ApiResponse>[] = [];
    const edit = (): Promise<ApiResponse> =>
      viewer.put(`/api/workspaces/${randomUUID()}/members/${person.id}`, { role: 'manager' });
    const busy = await measure(other, () => attacks.push(...range(BURST).map(edit)));
    expect(statusesOf(await Promise.all(attacks))).toEqual([404]);
    expect(busy.statuses).toEqual([200]);
    expect(busy.p95).toBeLessThan(3 * quiet.p95 + FLOOR_MS);
  }, 120_000);

  test('by an admin all succeed, 4 × 30 in parallel (H1)', async () => {
    const { factory } = service;
    const [workspace, people] = [
      await factory.workspace(),
      await Promise.all(range(30).map(() => factory.user())),
    ];
    const admin = onReplica(await service.asAdmin());
    const edits = ['viewer', 'editor', 'manager', 'viewer'].flatMap((role) =>
      people.map(({ id }) => admin.put(`/api/workspaces/${workspace.id}/members/${id}`, { role })),
    );
    expect(statusesOf(await Promise.all(edits))).toEqual([200]);
  }, 120_000);
});

test('a query inside a transaction that requests a second pool connection fails in tests (H1)', async () => {
  const database = await createDatabase();
  const source = await new DataSource(dataSourceOptions(database.url, 5)).initialize();
  try {
    const breaches = guardConnections(source);
    await source.transaction(async (tx) => {
      await tx.query('SELECT 1');
      await expect(source.query('SELECT 1')).rejects.toThrow('must use the manager of that transaction');
    });
    expect(breaches()).toHaveLength(1);
    await source.query('SELECT 1');
    expect(breaches()).toHaveLength(1);
  } finally {
    await source.destroy();
    await database.drop();
  }
});
