import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client as Postgres } from 'pg';
import { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../src/core/database/data-source.js';
import { type ApiResponse, Client } from '../support/client.js';
import { guardConnections } from '../support/connection-guard.js';
import { createDatabase } from '../support/database.js';
import { startReplicaProcess, type ReplicaProcess } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';

const ROUNDS = 5;
/** More than the pool has connections. */
const BURST = 12;

let service: Service;
let replica: ReplicaProcess;

// The service is a process of its own, so that the requests of the test do not share its event loop.
beforeAll(async () => {
  service = await startService();
  replica = await startReplicaProcess(service.environment);
});
afterAll(async () => {
  await replica.close();
  await service.close();
});

const onReplica = ({ token }: Client): Client => new Client(replica.url, token);
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const statusesOf = (responses: readonly ApiResponse[]): number[] => [
  ...new Set(responses.map(({ status }) => status)),
];

describe('member edits', () => {
  test('without permission wait for no lock, and other callers are served (H1)', async () => {
    const { factory } = service;
    const [person, workspace] = [await factory.user(), await factory.workspace()];
    const viewer = onReplica(await service.asMember(workspace));
    const other = onReplica(await service.asAdmin());
    const editor = new Postgres({ connectionString: service.databaseUrl });
    await editor.connect();
    await editor.query('BEGIN');
    await editor.query('SELECT FROM workspaces WHERE id = $1 FOR UPDATE', [workspace.id]);
    try {
      const edit = (id: string): Promise<ApiResponse> =>
        viewer.put(`/api/workspaces/${id}/members/${person.id}`, { role: 'manager' });
      for (let round = 0; round < ROUNDS; round += 1) {
        const edits = range(BURST).map((index) => edit(index % 2 === 0 ? workspace.id : randomUUID()));
        expect((await other.get('/api/users?limit=5')).status).toBe(200);
        expect(new Set(statusesOf(await Promise.all(edits)))).toEqual(new Set([403, 404]));
      }
    } finally {
      await editor.end();
    }
  });

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
  });
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
