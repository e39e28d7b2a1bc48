// SQL, because PostgreSQL computes pseudonyms, and distinct people from bit strings.
import { createHmac } from 'node:crypto';
import { Any, Between, type EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { lockName } from '../core/database/locks.js';
import type { ErasedPerson, ExportedRows, PersonalData } from '../core/database/personal-data.js';
import { chunksOf } from '../core/lists/chunks.js';
import { UsageMonthKey, UsagePerson } from './usage.entity.js';

/** First day of the month (UTC), as the partitions of the views. */
export const monthOf = (at: Date): string => `${at.toISOString().slice(0, 7)}-01`;

/** The same in each month for one person, and in no other month; without the key it cannot be computed. */
export const pseudonymOf = (key: Buffer, userId: string): string =>
  createHmac('sha256', key)
    .update(userId)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** Until the transaction ends, no other one writes views of this user. */
export const lockViews = (tx: EntityManager, userId: string): Promise<unknown> =>
  lockName(tx, `usage ${userId}`);

/** A number of a user. With pseudonyms, a user has one for each month. */
export interface PersonNumber {
  number: number;
  userId: string;
}

/** Pseudonyms that one statement computes, so that it stays far below the statement timeout. */
const MAX_PSEUDONYMS = 100_000;
const BLOCK_BYTES = 64;

/** The key of an HMAC as RFC 2104 adds it to the inner or the outer hash. */
const padded = (key: Buffer, pad: number): Buffer =>
  Buffer.from(Array.from({ length: BLOCK_BYTES }, (_, index) => pad ^ (key[index] ?? 0)));

/** SQL expression: the same as `pseudonymOf`, with the padded keys. */
const pseudonymSql = (user: string): string =>
  `encode(substr(sha256(outer_key || sha256(inner_key || convert_to(${user}::text, 'UTF8'))), 1, 16), 'hex')::uuid`;

const numbersByPseudonym = `
SELECT number, user_id::text AS "userId"
FROM (SELECT ${pseudonymSql('user_id')} AS person, user_id
  FROM unnest($1::uuid[]) AS user_id, unnest($2::bytea[], $3::bytea[]) AS month (inner_key, outer_key)) AS known
JOIN usage_people USING (person)`;

/**
 * All numbers of these users, also those from before a change of `USAGE_PEOPLE`; with a period, without the pseudonyms of
 * months that it does not contain. PostgreSQL computes the pseudonyms, a bounded number at a time: a large group has one for
 * each member and month.
 */
export async function peopleOf(
  manager: EntityManager,
  userIds: readonly string[],
  { fromAt, toAt }: { fromAt?: Date; toAt?: Date } = {},
): Promise<PersonNumber[]> {
  const month = Between(fromAt ? monthOf(fromAt) : '-infinity', toAt ? monthOf(toAt) : 'infinity');
  const keys = await manager.findBy(UsageMonthKey, { month });
  const named = await manager.findBy(UsagePerson, { person: Any([...userIds]) });
  const people: PersonNumber[] = named.map(({ number, person }) => ({ number, userId: person }));
  const step = Math.max(1, Math.floor(MAX_PSEUDONYMS / Math.max(1, userIds.length)));
  for (const months of chunksOf(keys, step)) {
    const [inner, outer] = [0x36, 0x5c].map((pad) => months.map(({ key }) => padded(key, pad)));
    const { rows } = await execute<PersonNumber>(manager, numbersByPseudonym, [userIds, inner, outer], false);
    people.push(...rows);
  }
  return people;
}

const numbersOf = async (manager: EntityManager, userIds: readonly string[]): Promise<number[]> =>
  (await peopleOf(manager, userIds)).map(({ number }) => number);

/**
 * Deletes the views of the user and what connects them to their number. The figures of these days are computed again, without
 * them, if all views of the day still exist; others contain no people. Events that are being recorded are stored before.
 */
async function eraseUsage(tx: EntityManager, { id }: ErasedPerson): Promise<void> {
  await lockViews(tx, id);
  const numbers = await numbersOf(tx, [id]);
  if (numbers.length === 0) return;
  await execute(
    tx,
    `WITH erased AS (DELETE FROM usage_views WHERE person = ANY($1::int[]) RETURNING started_at, report_id)
     INSERT INTO usage_changes (at, report_id, noted_at) SELECT DISTINCT started_at, report_id, now() FROM erased`,
    [numbers],
  );
  await tx.delete(UsagePerson, { number: Any(numbers) });
}

const exportedViews: ExportedRows = async ({ id }, manager) => [
  `SELECT id, report_id, workspace_id, started_at, page_views, pages, page_names, failures, errors, visible_ms, load_ms, render_ms
   FROM usage_views WHERE person = ANY($1::int[]) ORDER BY started_at`,
  [await numbersOf(manager, [id])],
];

export const personalData: PersonalData[] = [
  {
    table: 'usage_views',
    columns: ['person'],
    holds: 'the number of the person who viewed a report',
    export: { section: 'report_views', rows: exportedViews },
    erasure: { does: 'delete', run: eraseUsage },
  },
  {
    table: 'usage_people',
    columns: ['person'],
    holds: 'which person a number refers to, or the pseudonym of a month',
    export: { omits: 'the views are in the section report_views' },
    erasure: { does: 'delete' },
  },
  ...['usage_report_day', 'usage_workspace_day', 'usage_active_people'].map((table): PersonalData => ({
    table,
    columns: table === 'usage_active_people' ? ['people'] : ['people', 'people_from', 'people_bits'],
    holds: 'the numbers of those who viewed reports in a period',
    export: { omits: 'derived from the section report_views' },
    erasure: { keeps: 'the number refers to no person any more; recent days are computed again' },
  })),
];

/** Bit strings are stored where they take at most eight times the memory of the numbers; mostly zeros, they are compressed on disk. */
const MAX_BITS_EACH = 256;
/** Bit strings begin and end at multiples of this, so that those of most days have the same range. */
const RANGE = 1024;

/**
 * SQL expressions for `people_from` and `people_bits`, from sorted numbers: the number of the first bit, and a bit for each number
 * from there. Null where numbers are better.
 */
export function bitsOf(people: string): string {
  const last = `${people}[cardinality(${people})]`;
  const first = `${people}[1] / ${RANGE} * ${RANGE}`;
  const past = `(${last} / ${RANGE} + 1) * ${RANGE}`;
  const isDense = `${past} - ${first} <= ${MAX_BITS_EACH} * cardinality(${people})`;
  return `CASE WHEN ${isDense} THEN ${first} END, CASE WHEN ${isDense} THEN ((
    SELECT string_agg(repeat('0', person - coalesce(before + 1, ${first})) || '1', '' ORDER BY person)
    FROM (SELECT person, lag(person) OVER (ORDER BY person) AS before FROM unnest(${people}) AS person) AS one)
    || repeat('0', ${past} - ${last} - 1))::bit varying END`;
}

/** SQL condition on a day of a rollup: its views were recorded with `USAGE_PEOPLE=off`, or their people are removed. */
export const lacksPeople = 'views > 0 AND (people IS NULL OR viewers = 0)';

/**
 * SQL: CTEs after which `present` has the distinct people (`viewers`) by `key` of a CTE with `key` and the columns of people. Bit
 * strings are brought to the same range, because `bit_or` requires equal lengths; numbers count where their bit is not set.
 */
export const distinctPeople = (source: string): string => `
  ranged AS MATERIALIZED (
    SELECT key, people_from AS first, people_from + bit_length(bits) AS past, bit_or(bits) AS bits
    FROM (SELECT key, people_from, people_bits || '' AS bits FROM ${source} WHERE people_bits IS NOT NULL) AS read
    GROUP BY key, first, past
  ), span AS (
    SELECT key, min(first) AS low, max(past) AS high FROM ranged GROUP BY key
  ), united AS MATERIALIZED (
    SELECT key, low, high, bit_or(repeat('0', first - low)::bit varying || bits || repeat('0', high - past)::bit varying) AS bits
    FROM ranged JOIN span USING (key) GROUP BY key, low, high
  ), sparse AS (
    SELECT key, count(DISTINCT person) AS viewers
    FROM ${source} LEFT JOIN united USING (key), unnest(people) AS person
    WHERE people_bits IS NULL
      AND CASE WHEN person >= low AND person < high THEN get_bit(bits, person - low) = 0 ELSE true END
    GROUP BY key
  ), present AS (
    SELECT key, (coalesce(bit_count(bits), 0) + coalesce(viewers, 0))::int AS viewers
    FROM united FULL JOIN sparse USING (key)
  )`;
