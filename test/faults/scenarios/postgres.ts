import { setTimeout as sleep } from 'node:timers/promises';
import type { Context, Scenario } from '../scenario.js';
import { diskObstacle } from '../parts/disk.js';
import { isCommit } from '../parts/pg-messages.js';

/** Ten of each replica: a silent connection is detected by one request each. */
const CONNECTIONS = 30;

const expectFastRejections = ({ caller, expect, faultAt, faultEndedAt }: Context): void => {
  const during = caller.history.filter(({ t_invoke }) => t_invoke >= faultAt && t_invoke < faultEndedAt);
  const refused = during
    .filter(({ status }) => status === 503)
    .map(({ t_invoke, t_done }) => t_done - t_invoke);
  const slow = refused.filter((ms) => ms > 4_000).length;
  const longest = Math.max(0, ...refused);
  expect(
    'only requests on an open connection wait',
    slow <= CONNECTIONS,
    `${slow} of ${refused.length} waited over 4 s`,
  );
  expect('a rejection takes at most 12 s', longest <= 12_000, `${longest} ms`);
};

const restart = async ({ cluster }: Context, signal: NodeJS.Signals): Promise<void> => {
  const { primary } = cluster.databases;
  primary.child?.signal(signal);
  await primary.child?.waitForExit();
  await sleep(1_500);
  await primary.start();
};

const withToxics =
  (toxics: object, seconds: number) =>
  async (context: Context): Promise<void> => {
    context.cluster.proxies.postgres.toxics = toxics;
    await sleep(seconds * 1000);
    await context.cluster.proxies.postgres.up();
  };

/** Faults of the database and of its network connection. */
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
    title: 'DUR-12 the primary fails and the standby is promoted',
    rate: 20,
    seconds: 36,
    fault: async (context) => {
      const { databases, proxies } = context.cluster;
      databases.primary.child?.signal('SIGKILL');
      await databases.primary.child?.waitForExit();
      databases.standby.run('pg_ctl', ['promote', '-D', databases.standby.data, '-w']);
      proxies.postgres.target = databases.standby.port;
      databases.promote();
    },
  },
  {
    id: 'F7',
    title: '50 ms latency to PostgreSQL',
    rate: 12,
    seconds: 24,
    success: { share: 0.99 },
    fault: withToxics({ latency: 25 }, 10),
  },
  {
    id: 'F7b',
    title: '500 ms latency to PostgreSQL',
    rate: 6,
    seconds: 34,
    fault: withToxics({ latency: 250 }, 10),
    recovery: 17,
  },
  {
    id: 'F7c',
    title: '3 s latency to PostgreSQL',
    rate: 6,
    seconds: 40,
    fault: withToxics({ latency: 1_500 }, 10),
    recovery: 17,
  },
  {
    id: 'F8',
    title: 'PostgreSQL receives and sends nothing for 8 s',
    rate: 15,
    seconds: 32,
    fault: withToxics({ timeout: 0 }, 8),
    after: expectFastRejections,
  },
  {
    id: 'F9',
    title: 'the connection to PostgreSQL breaks before every 4th COMMIT',
    rate: 20,
    seconds: 24,
    mix: { rename: 30, member: 30, invite: 20, accept: 10, read_name: 10, sign_out: 3 },
    fault: withToxics({ cut: { fits: isCommit, every: 4, side: 'before' } }, 12),
    after: ({ cluster, notes, expect }) => {
      notes.push(`${cluster.proxies.postgres.cuts} connections were cut`);
      expect(
        'connections were cut',
        cluster.proxies.postgres.cuts > 0,
        String(cluster.proxies.postgres.cuts),
      );
    },
  },
  {
    id: 'F9b',
    title: 'the connection to PostgreSQL breaks after every 4th COMMIT',
    rate: 20,
    seconds: 24,
    mix: { rename: 30, member: 30, invite: 20, accept: 10, read_name: 10, sign_out: 3 },
    fault: withToxics({ cut: { fits: isCommit, every: 4, side: 'after' } }, 12),
    after: ({ cluster, expect }) =>
      expect(
        'connections were cut',
        cluster.proxies.postgres.cuts > 0,
        String(cluster.proxies.postgres.cuts),
      ),
  },
  {
    id: 'F10',
    title: 'all database connections are terminated, three times',
    rate: 20,
    seconds: 24,
    fault: async ({ cluster }) => {
      for (let round = 0; round < 3; round += 1) {
        await cluster.databases.admin((client) =>
          client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'vitrine'`),
        );
        await sleep(1_500);
      }
    },
  },
  {
    id: 'F11',
    title: 'PostgreSQL has no free connections (53300)',
    rate: 15,
    seconds: 30,
    fault: async ({ cluster }) => {
      await cluster.databases.admin(async (client) => {
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
    title: 'a table is locked for 10 s',
    rate: 12,
    seconds: 34,
    fault: async ({ cluster }) => {
      await cluster.databases.admin(async (client) => {
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
    cluster: { disk: 420 },
    obstacle: diskObstacle,
    mix: { invite: 40, rename: 20, member: 20, list: 20, login: 10 },
    fault: async ({ cluster, notes }) => {
      cluster.disk?.fill();
      await sleep(8_000);
      cluster.disk?.free();
      for (const server of [cluster.databases.primary, cluster.databases.standby]) {
        if (server.child?.running === true) continue;
        notes.push(`the ${server.name} stopped and was restarted`);
        await server.start();
      }
    },
  },
  {
    id: 'F14',
    title: 'PostgreSQL rejects writes (25006)',
    rate: 15,
    seconds: 28,
    fault: async ({ cluster }) => {
      await setReadOnly(cluster, 'on');
      await sleep(6_000);
      await setReadOnly(cluster, 'off');
    },
  },
  {
    id: 'F32',
    title: 'all replicas restart while the database is unreachable',
    rate: 8,
    seconds: 70,
    at: 3,
    recovery: 20,
    fault: async (context) => {
      const { cluster } = context;
      await cluster.proxies.postgres.down();
      for (const replica of cluster.replicas.slice()) {
        replica.child.signal('SIGKILL');
        await replica.child.waitForExit();
        await cluster.restart(replica, false);
      }
      await sleep(20_000);
      await cluster.proxies.postgres.up();
    },
  },
];

async function setReadOnly({ databases }: Context['cluster'], value: 'on' | 'off'): Promise<void> {
  await databases.admin(async (client) => {
    await client.query('SET default_transaction_read_only = off');
    await client.query(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await client.query('SELECT pg_reload_conf()');
  });
}
