import type { EntityManager } from 'typeorm';
import { execute } from './execute.js';

/** Waits for the lock of this name, which the transaction then holds until its end. */
export const lockName = (tx: EntityManager, name: string): Promise<unknown> =>
  execute(tx, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);

/** The same without waiting. Returns false if another transaction holds the lock. */
export async function tryLockName(tx: EntityManager, name: string): Promise<boolean> {
  const { rows } = await execute<{ locked: boolean }>(
    tx,
    'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS locked',
    [name],
  );
  return rows[0]?.locked === true;
}
