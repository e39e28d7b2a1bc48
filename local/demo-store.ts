import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, type EntityManager } from 'typeorm';
import { Config } from '../src/core/config/config.js';
import { dataSourceOptions } from '../src/core/database/data-source.js';
import { execute } from '../src/core/database/execute.js';
import { writeViews } from '../src/usage/ingest.queries.js';
import { UsagePeopleService } from '../src/usage/people.service.js';
import { lockRollup } from '../src/usage/rollup-state.queries.js';
import type { View } from '../src/usage/view.js';
import type { DemoToken, DemoUsage, DemoView } from './demo-usage.js';

/** Marks the issued tokens in their `request_id`, which is otherwise the id of an HTTP request. */
export const DEMO_REQUEST = 'demo-data';

/** The service creates the partitions of this month and the next ones only. */
const createPartitions = `
SELECT usage_views_create_partition(month), issued_tokens_create_partition(month)
FROM generate_series(date_trunc('month', $1::timestamptz AT TIME ZONE 'UTC'), $2::timestamptz AT TIME ZONE 'UTC',
  interval '1 month') AS month`;

const insertTokens = `
INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, identity, issued_at, expires_at, times_issued,
  last_issued_at, request_id)
SELECT id, token_id, user_id, report_id, workspace_id, 'view', identity, issued_at, expires_at, times_issued, last_issued_at, $2
FROM jsonb_to_recordset($1::jsonb) AS x (id uuid, token_id uuid, user_id uuid, report_id uuid, workspace_id uuid, identity jsonb,
  issued_at timestamptz, expires_at timestamptz, times_issued integer, last_issued_at timestamptz)
ON CONFLICT (id, issued_at) DO NOTHING`;

/** The accounts are as old as their usage, and the last view follows the last sign-in. */
const dateAccounts = (table: 'users' | 'user_identities', id: 'id' | 'user_id') => `
UPDATE ${table} SET created_at = x.first, last_sign_in_at = x.last
FROM jsonb_to_recordset($1::jsonb) AS x (user_id uuid, first timestamptz, last timestamptz)
WHERE ${table}.${id} = x.user_id`;

async function dateSignIns(tx: EntityManager, views: readonly DemoView[]): Promise<void> {
  const people = new Map<string, { user_id: string; first: Date; last: Date }>();
  for (const { userId, started_at: at } of views) {
    const known = people.get(userId) ?? { user_id: userId, first: at, last: at };
    if (at < known.first) known.first = at;
    if (at > known.last) known.last = at;
    people.set(userId, known);
  }
  const rows = JSON.stringify([...people.values()]);
  await execute(tx, dateAccounts('users', 'id'), [rows]);
  await execute(tx, dateAccounts('user_identities', 'user_id'), [rows]);
}

async function insertViews(tx: EntityManager, views: readonly DemoView[]): Promise<void> {
  const people = new UsagePeopleService(Config.load());
  const rows: View[] = [];
  for (const { userId, ...view } of views)
    rows.push({ ...view, person: await people.numberOf(tx, userId, view.started_at) });
  await writeViews(tx, rows, new Map(), new Date());
}

const storeTokens = (tx: EntityManager, tokens: readonly DemoToken[]) =>
  execute(tx, insertTokens, [JSON.stringify(tokens), DEMO_REQUEST]);

/** The next rollup then also counts the tokens of past days, as the first one of a service does. */
async function restartRollups(tx: EntityManager): Promise<void> {
  while (!(await lockRollup(tx))) await sleep(50);
  await tx.query('DELETE FROM usage_state');
}

/**
 * Stores views, issued tokens and the times of the sign-ins, all or nothing; a repetition changes nothing. `url` is that of the owner of the tables, who may
 * create partitions.
 */
export async function storeDemoUsage(url: string, { views, tokens }: DemoUsage): Promise<void> {
  const times = views.map(({ started_at }) => started_at.getTime());
  const source = await new DataSource(dataSourceOptions(url, 1)).initialize();
  try {
    // In its own transaction, because it locks the tables.
    await source.transaction(async (tx) => {
      await tx.query('SELECT usage_views_require_writer(), issued_tokens_require_writer()');
      await tx.query(createPartitions, [new Date(Math.min(...times)), new Date(Math.max(...times))]);
    });
    await source.transaction(async (tx) => {
      await insertViews(tx, views);
      await storeTokens(tx, tokens);
      await dateSignIns(tx, views);
      await restartRollups(tx);
    });
  } finally {
    await source.destroy();
  }
}
