import type { EntityManager, QueryRunner } from 'typeorm';

const pending = new WeakMap<QueryRunner, Set<() => void>>();

/**
 * Calls `work` once after the transaction commits, and never if it is rolled back or the process ends before: the effect
 * must also happen without it, such as by a poll. `work` must not throw. Outside a transaction it is called at once: each
 * statement is committed when it returns.
 */
export function afterCommit({ queryRunner }: EntityManager, work: () => void): void {
  if (queryRunner === undefined) return work();
  const known = pending.get(queryRunner);
  if (known === undefined) pending.set(queryRunner, new Set([work]));
  else known.add(work);
}

/** For the owner of the transaction: takes its work, to run it after the commit. */
export function takeAfterCommit({ queryRunner }: EntityManager): ReadonlySet<() => void> {
  const work = queryRunner && pending.get(queryRunner);
  if (queryRunner !== undefined) pending.delete(queryRunner);
  return work ?? new Set();
}
