import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Scenario } from '../scenario.js';
import { whyNoDisk } from '../parts/disk.js';
import { isCommit } from '../parts/pg-messages.js';

/** Ten of each replica: what was open when the line went silent is found out one request at a time. */
const CONNECTIONS = 30;

const fastRefusal = ({ caller, expect, faultAt, healedAt }: Context): void => {
  const during = caller.history.filter(({ t_invoke }) => t_invoke >= faultAt && t_invoke < healedAt);
  const refused = during
    .filter(({ status }) => status === 503)
    .map(({ t_invoke, t_done }) => t_done - t_invoke);
  const slow = refused.filter((ms) => ms > 4_000).length;
  const longest = Math.max(0, ...refused);
  expect(
    'only who had an open connection waits',
    slow <= CONNECTIONS,
    `${slow} of ${refused.length} waited over 4 s`,
  );
  expect('nobody waits longer than 12 s to be refused', longest <= 12_000, `${longest} ms`);
};

const restart = async ({ stand }: Context, signal: NodeJS.Signals): Promise<void> => {
  const { primary } = stand.databases;
  primary.child?.signal(signal);
  await primary.child?.ended();
  await sleep(1_500);
  await primary.start();
};

const toProxy =
  (toxics: object, seconds: number) =>
  async (context: Context): Promise<void> => {
    context.stand.lines.postgres.toxics = toxics;
    await sleep(seconds * 1000);
    await context.stand.lines.postgres.up();
  };

/** Faults of the database and of the line to it. */
export const ofPostgres: Scenario[] = [
  {
    id: 'F4',
    title: 'kill -9 of the postmaster',
    rate: 20,
    seconds: 30,
    fault: (context) => restart(context, 'SIGKILL'),
  },
  {
    id: 'F5',
    title: 'immediate shutdown of PostgreSQL, and restart',
    rate: 20,
    seconds: 30,
    fault: (context) => restart(context, 'SIGQUIT'),
  },
  {
    id: 'F6',
    title: 'DUR-12 the primary is lost, the standby is promoted',
    rate: 20,
    seconds: 36,
    fault: async (context) => {
      const { databases, lines } = context.stand;
      databases.primary.child?.signal('SIGKILL');
      await databases.primary.child?.ended();
      databases.standby.run('pg_ctl', ['promote', '-D', databases.standby.data, '-w']);
      lines.postgres.target = databases.standby.port;
      databases.promote();
    },
  },
  {
    id: 'F7',
    title: 'PostgreSQL 50 ms away',
    rate: 12,
    seconds: 24,
    success: { share: 0.99 },
    fault: toProxy({ latency: 25 }, 10),
  },
  {
    id: 'F7b',
    title: 'PostgreSQL 500 ms away',
    rate: 6,
    seconds: 34,
    fault: toProxy({ latency: 250 }, 10),
    recovery: 17,
  },
  {
    id: 'F7c',
    title: 'PostgreSQL 3 s away',
    rate: 6,
    seconds: 40,
    fault: toProxy({ latency: 1_500 }, 10),
    recovery: 17,
  },
  {
    id: 'F8',
    title: 'PostgreSQL swallows everything for 8 s',
    rate: 15,
    seconds: 32,
    fault: toProxy({ timeout: 0 }, 8),
    after: fastRefusal,
  },
  {
    id: 'F9',
    title: 'the line to PostgreSQL breaks before every 4th COMMIT',
    rate: 20,
    seconds: 24,
    mix: { rename: 30, member: 30, invite: 20, accept: 10, read_name: 10, sign_out: 3 },
    fault: toProxy({ cut: { fits: isCommit, every: 4, side: 'before' } }, 12),
    after: ({ stand, notes, expect }) => {
      notes.push(`${stand.lines.postgres.cuts} lines were cut`);
      expect('lines were cut', stand.lines.postgres.cuts > 0, String(stand.lines.postgres.cuts));
    },
  },
  {
    id: 'F9b',
    title: 'the line to PostgreSQL breaks after every 4th COMMIT was sent',
    rate: 20,
    seconds: 24,
    mix: { rename: 30, member: 30, invite: 20, accept: 10, read_name: 10, sign_out: 3 },
    fault: toProxy({ cut: { fits: isCommit, every: 4, side: 'after' } }, 12),
    after: ({ stand, expect }) =>
      expect('lines were cut', stand.lines.postgres.cuts > 0, String(stand.lines.postgres.cuts)),
  },
  {
    id: 'F10',
    title: 'every database connection terminated, three times',
    rate: 20,
    seconds: 24,
    fault: async ({ stand }) => {
      for (let round = 0; round < 3; round += 1) {
        await stand.databases.admin((client) =>
          client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'vitrine'`),
        );
        await sleep(1_500);
      }
    },
  },
  {
    id: 'F11',
    title: 'no database connection is free (53300)',
    rate: 15,
    seconds: 30,
    fault: async ({ stand }) => {
      await stand.databases.admin(async (client) => {
        await client.query('ALTER ROLE vitrine CONNECTION LIMIT 1');
        await client.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'vitrine'`,
        );
        await sleep(6_000);
        await client.query('ALTER ROLE vitrine CONNECTION LIMIT -1');
      });
    },
  },
  {
    id: 'F12',
    title: 'a table locked for 10 s',
    rate: 12,
    seconds: 34,
    fault: async ({ stand }) => {
      await stand.databases.admin(async (client) => {
        await client.query('BEGIN');
        await client.query('LOCK TABLE sessions IN ACCESS EXCLUSIVE MODE');
        await sleep(10_000);
        await client.query('ROLLBACK');
      });
    },
  },
  {
    id: 'F13',
    title: "DUR-14 PostgreSQL's disk is full for 8 s",
    rate: 20,
    seconds: 34,
    stand: { disk: 420 },
    obstacle: whyNoDisk,
    mix: { invite: 40, rename: 20, member: 20, list: 20, login: 10 },
    fault: async ({ stand, notes }) => {
      stand.disk?.fill();
      await sleep(8_000);
      stand.disk?.free();
      for (const server of [stand.databases.primary, stand.databases.standby]) {
        if (server.child?.running === true) continue;
        notes.push(`the ${server.name} ended and was started again`);
        await server.start();
      }
    },
  },
  {
    id: 'F14',
    title: 'PostgreSQL takes no writes (25006)',
    rate: 15,
    seconds: 28,
    fault: async ({ stand }) => {
      await setReadOnly(stand, 'on');
      await sleep(6_000);
      await setReadOnly(stand, 'off');
    },
  },
  {
    id: 'F32',
    title: 'everything restarts while the database is away, and comes back',
    rate: 8,
    seconds: 70,
    at: 3,
    recovery: 20,
    fault: async (context) => {
      const { stand } = context;
      await stand.lines.postgres.down();
      for (const replica of stand.replicas.slice()) {
        replica.child.signal('SIGKILL');
        await replica.child.ended();
        await stand.restart(replica, false);
      }
      await sleep(20_000);
      await stand.lines.postgres.up();
    },
  },
];

async function setReadOnly({ databases }: Context['stand'], value: 'on' | 'off'): Promise<void> {
  await databases.admin(async (client) => {
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
  });
}
