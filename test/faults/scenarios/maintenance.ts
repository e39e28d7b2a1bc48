import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { migrateDatabase } from '../../../src/core/database/migrate-database.js';
import type { Context, Scenario } from '../scenario.js';

/** Code that shifts the clock of a process. */
const skewed = (ms: number): string => `
const real = Date;
globalThis.Date = class extends real {
  constructor(...given) { if (given.length === 0) super(real.now() + ${ms}); else super(...given); }
  static now() { return real.now() + ${ms}; }
};`;

const withClock =
  (ms: number) =>
  async ({ cluster }: Context): Promise<void> => {
    const file = join(cluster.folder, `clock-${ms}.mjs`);
    writeFileSync(file, skewed(ms));
    const replica = cluster.replicas[1];
    if (replica === undefined) return;
    await replica.child.stop();
    await cluster.startReplica(replica.name, { node: ['--import', file] });
    await sleep(10_000);
  };

const clock = (id: string, title: string, ms: number): Scenario => ({
  id,
  title,
  rate: 15,
  seconds: 30,
  at: 2,
  success: { share: 0.99 },
  clockSkewMs: Math.abs(ms),
  fault: withClock(ms),
});

/** Requests whose token was rejected although the session had not ended. */
const countRejected = ({ caller }: Context): number =>
  caller.history.filter(
    ({ op, status }) => ['list', 'read', 'me', 'embed', 'read_name'].includes(op) && status === 401,
  ).length;

const readsAndSignIns = { list: 30, read: 30, me: 10, read_name: 10, embed: 10, login: 10 };

/** Clocks, keys, migrations and limits of the system. */
export const ofMaintenance: Scenario[] = [
  {
    id: 'F23',
    title: 'a replica with a limit of 256 open files gets 300 connections',
    rate: 10,
    seconds: 26,
    at: 1,
    success: { share: 0.97 },
    fault: async ({ cluster, expect }) => {
      const replica = cluster.replicas[1];
      execFileSync('prlimit', [`--nofile=256:256`, '--pid', String(replica?.child.pid)]);
      const sockets = Array.from({ length: 300 }, () => connect(replica?.port ?? 0, '127.0.0.1'));
      for (const socket of sockets) socket.on('error', () => undefined);
      await sleep(6_000);
      for (const socket of sockets) socket.destroy();
      await sleep(1_000);
      const response = await fetch(`${replica?.url}/livez`, { signal: AbortSignal.timeout(3_000) }).catch(
        () => null,
      );
      expect(
        'responds again when the connections are closed',
        response?.ok === true,
        String(response?.status ?? 'no response'),
      );
    },
  },
  clock('F26', 'the clock of a replica is 20 s ahead', 20_000),
  clock('F26b', 'the clock of a replica is 20 s behind', -20_000),
  {
    id: 'F27',
    title: 'a new signing key every 3 s',
    rate: 25,
    seconds: 24,
    mix: readsAndSignIns,
    at: 2,
    success: { share: 1 },
    fault: async ({ cluster }) => {
      for (const name of ['two', 'three', 'four', 'five']) {
        cluster.renewKeys([name]);
        await sleep(3_000);
      }
    },
    after: (context) => {
      const count = countRejected(context);
      context.expect('no session ends', count === 0, `${count} rejected`);
    },
  },
  {
    id: 'F28',
    title: 'the migration job runs twice, and a later version adds a column, under load',
    rate: 20,
    seconds: 24,
    at: 2,
    success: { share: 1 },
    fault: async ({ cluster }) => {
      const url = cluster.urlOf(cluster.databases.primary.port);
      await Promise.all([migrateDatabase({ url }), migrateDatabase({ url })]);
      await cluster.databases.admin(async (client) => {
        await client.query("SET lock_timeout = '2s'");
        await client.query('ALTER TABLE users ADD COLUMN of_the_next_version text');
        await client.query('ALTER TABLE sessions ADD COLUMN of_the_next_version text');
      });
      await migrateDatabase({ url });
    },
  },
];
