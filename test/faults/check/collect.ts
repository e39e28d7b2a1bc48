import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import { Canaries, dumpOf, signedToken } from '../../support/canaries.js';
import type { TestData } from '../load/test-data.js';
import type { Cluster } from '../parts/cluster.js';
import type { AuditRow, Resources, Tables } from './evidence.js';

const ms = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

const queries = {
  users: 'SELECT id, email, name, status FROM users',
  memberships: 'SELECT user_id, workspace_id, role FROM grants WHERE report_id IS NULL',
  invitations: `SELECT i.id, i.email, i.user_id, ${ms('accepted_at')} AS accepted_at, ${ms('revoked_at')} AS revoked_at,
      ARRAY(SELECT workspace_id::text FROM invitation_grants g WHERE g.invitation_id = i.id) AS workspaces,
      (SELECT count(*)::int FROM pgboss.job WHERE data->>'invitation_id' = i.id::text) AS jobs
    FROM invitations i`,
  sessions: `SELECT id, user_id, ${ms('ended_at')} AS ended_at, end_reason FROM sessions`,
  audit: `SELECT ${ms('at')} AS at, action, actor_id, target_type, target_id, details FROM audit_events`,
};

export async function readTables(client: Client): Promise<Tables> {
  const entries: [string, unknown[]][] = [];
  for (const [name, query] of Object.entries(queries)) entries.push([name, (await client.query(query)).rows]);
  return Object.fromEntries(entries) as unknown as Tables;
}

export type { AuditRow };

/** The sum over the running replicas, read from /proc. */
export async function readResources({ replicas, databases }: Cluster): Promise<Resources> {
  const pids = replicas.filter(({ child }) => child.running).map(({ child }) => child.pid);
  const rss = pids.map((pid) => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
  });
  const fds = pids.map((pid) => readdirSync(`/proc/${pid}/fd`).length);
  const connections = await databases.admin(async (client) => {
    const { rows } = await client.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE usename = 'vitrine'`,
    );
    return rows[0]?.count ?? 0;
  });
  return { rss: sum(rss), fds: sum(fds), connections };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The logs of the processes. */
export function readLogs({ folder }: Cluster): Record<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith('.log'));
  return Object.fromEntries(names.map((name) => [name, readFileSync(`${folder}/${name}`, 'utf8')]));
}

/** The number of tokens to search for. */
const TOKENS = 60;

interface Searched {
  cluster: Cluster;
  testData: TestData;
  tokens: string[];
  artefacts: Record<string, string>;
}

/** Searches all artefacts of the run for its secrets. */
export function findLeaks({ cluster, testData, tokens, artefacts }: Searched): string[] {
  const canaries = new Canaries();
  const { secrets } = cluster;
  canaries.plant('password of the database', secrets.database);
  canaries.plant('SECRET_KEY', secrets.secretKey);
  canaries.plant('password of the admin', secrets.admin.password);
  for (const { email, password } of testData.members) canaries.plant(`password of ${email}`, password);
  for (const [index, token] of tokens.slice(-TOKENS).entries()) canaries.plant(`token ${index}`, token);
  const signed = Object.entries(artefacts)
    .filter(([place, text]) => place !== 'calls' && signedToken.test(text))
    .map(([place]) => `a signed token in ${place}`);
  return [...canaries.foundIn(artefacts), ...signed];
}

export const dump = ({ databases }: Cluster): Promise<string> =>
  dumpOf(`postgres://postgres@127.0.0.1:${databases.primary.port}/vitrine`);
