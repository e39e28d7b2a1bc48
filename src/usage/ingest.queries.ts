// SQL, because limits are counted and views written in one statement for each batch.
import { Any, type EntityManager, MoreThan } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { tokensIssuedTo } from '../embed/issued-tokens.queries.js';
import { isActiveUser } from '../users/users.queries.js';
import { lockViews } from './people.queries.js';
import { UsageView } from './usage.entity.js';
import type { View } from './view.js';

/** A token of the caller, and how much of its limits is used, this batch included. */
export interface ClaimedToken {
  grant_id: string;
  token_id: string;
  report_id: string;
  workspace_id: string;
  issued_at: Date;
  expires_at: Date;
  /** Events in the current minute. */
  events: number;
  /** New views in the current hour, without those of this batch. */
  views: number;
  /** Visible time of all its views, without that of this batch. */
  visible_ms: number;
}

/** What a batch adds to the use of a token. */
export interface TokenUse {
  views: number;
  visible_ms: number;
}

interface Claim {
  userId: string;
  /** Events of the batch by token id. */
  counts: ReadonlyMap<string, number>;
  since: Date;
  now: Date;
}

/** Limits count from the first event of a window. Views of one person are written one batch at a time. */
const claim = `
WITH held AS MATERIALIZED (
  ${tokensIssuedTo({ user: '$1::uuid', tokens: '$2::uuid[]', since: '$4' })}
), counted AS (
  INSERT INTO usage_tokens AS t (grant_id, minute_at, events, hour_at, views)
  SELECT held.id, $5, batch.events, $5, 0
  FROM held JOIN unnest($2::uuid[], $3::int[]) AS batch (token_id, events) USING (token_id)
  WHERE ${isActiveUser('$1::uuid')} ORDER BY held.id
  ON CONFLICT (grant_id) DO UPDATE SET
    events = CASE WHEN t.minute_at > $5 - interval '1 minute' THEN t.events ELSE 0 END + excluded.events,
    minute_at = CASE WHEN t.minute_at > $5 - interval '1 minute' THEN t.minute_at ELSE $5 END,
    views = CASE WHEN t.hour_at > $5 - interval '1 hour' THEN t.views ELSE 0 END,
    hour_at = CASE WHEN t.hour_at > $5 - interval '1 hour' THEN t.hour_at ELSE $5 END
  RETURNING grant_id, events, views, visible_ms
)
SELECT counted.*, held.token_id, held.report_id, held.workspace_id, held.issued_at, held.expires_at
FROM held JOIN counted ON counted.grant_id = held.id`;

/** Returns those of the tokens that were issued to this active user. */
export async function claimTokens(tx: EntityManager, { userId, counts, since, now }: Claim) {
  await lockViews(tx, userId);
  const values = [userId, [...counts.keys()], [...counts.values()], since, now];
  const { rows } = await execute<ClaimedToken>(tx, claim, values);
  return new Map(rows.map((row) => [row.token_id, row]));
}

/** Columns of a view with their types, in the order of the table. */
const columns: Record<keyof View, string> = {
  id: 'uuid',
  started_at: 'timestamptz',
  report_id: 'uuid',
  workspace_id: 'uuid',
  person: 'integer',
  by_admin: 'boolean',
  page_views: 'integer',
  failures: 'integer',
  visible_ms: 'integer',
  load_ms: 'integer',
  load_seq: 'smallint',
  render_ms: 'integer',
  render_seq: 'smallint',
  seqs: 'smallint[]',
  pages: 'text[]',
  page_names: 'jsonb',
  errors: 'text[]',
};
const names = Object.keys(columns);

/** The time bounds the partitions that are read, each by its primary key. */
export async function findViews(
  tx: EntityManager,
  ids: readonly string[],
  since: Date,
): Promise<Map<string, View>> {
  const rows = await tx.findBy(UsageView, { id: Any([...ids]), started_at: MoreThan(since) });
  return new Map(rows.map((row) => [row.id, row]));
}

const changing = names.slice(names.indexOf('page_views'));
const write = `
WITH given AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb)
    AS x (${Object.entries(columns)
      .map(([name, type]) => `${name} ${type}`)
      .join(', ')})
), written AS (
  INSERT INTO usage_views (${names.join(', ')}) SELECT ${names.join(', ')} FROM given
  ON CONFLICT (id, started_at) DO UPDATE SET ${changing.map((name) => `${name} = excluded.${name}`).join(', ')}
), noted AS (
  INSERT INTO usage_changes (at, report_id, noted_at)
  SELECT DISTINCT started_at, report_id, $2::timestamptz FROM given
)
UPDATE usage_tokens SET views = usage_tokens.views + fresh.views, visible_ms = usage_tokens.visible_ms + fresh.visible_ms
FROM unnest($3::uuid[], $4::int[], $5::int[]) AS fresh (grant_id, views, visible_ms)
WHERE usage_tokens.grant_id = fresh.grant_id`;

/** Writes the views, notes that their days changed, and counts what they use of each token. */
export async function writeViews(
  tx: EntityManager,
  views: readonly View[],
  used: ReadonlyMap<string, TokenUse>,
  now: Date,
): Promise<void> {
  const uses = [...used.values()];
  const counts = [uses.map((use) => use.views), uses.map((use) => use.visible_ms)];
  await execute(tx, write, [JSON.stringify(views), now, [...used.keys()], ...counts]);
}
