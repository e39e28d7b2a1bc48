import { createHmac } from 'node:crypto';
import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';

/** The same in each month for one person, and in no other month; without the key it cannot be computed. */
export const pseudonymOf = (key: Buffer, userId: string): string =>
  createHmac('sha256', key)
    .update(userId)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** All numbers of these users, also those from before a change of `USAGE_PEOPLE`. */
export async function numbersOf(manager: EntityManager, userIds: readonly string[]): Promise<number[]> {
  const { rows: keys } = await execute<{ key: Buffer }>(manager, 'SELECT key FROM usage_month_keys', []);
  const pseudonyms = keys.flatMap(({ key }) => userIds.map((userId) => pseudonymOf(key, userId)));
  const { rows } = await execute<{ number: number }>(
    manager,
    'SELECT number FROM usage_people WHERE person = ANY($1::uuid[])',
    [[...userIds, ...pseudonyms]],
  );
  return rows.map(({ number }) => number);
}

/**
 * Deletes the views of the user and what connects them to their number. The figures of these days are computed again, without
 * them; older figures contain no people.
 */
export async function eraseUsageOf(tx: EntityManager, userId: string): Promise<void> {
  const numbers = await numbersOf(tx, [userId]);
  if (numbers.length === 0) return;
  await execute(
    tx,
    `WITH erased AS (DELETE FROM usage_views WHERE person = ANY($1::int[]) RETURNING started_at, report_id)
     INSERT INTO usage_changes (at, report_id, noted_at) SELECT DISTINCT started_at, report_id, now() FROM erased`,
    [numbers],
  );
  await execute(tx, 'DELETE FROM usage_people WHERE number = ANY($1::int[])', [numbers]);
}
