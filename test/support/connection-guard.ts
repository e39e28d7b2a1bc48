import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';

type Work = (tx: EntityManager) => Promise<unknown>;

/**
 * Makes a query fail that requests a second pool connection inside a transaction: as many such transactions as
 * the pool has connections wait for each other until they time out. Returns every such query so far, by its stack.
 */
export function guardConnections({ driver, manager }: DataSource): () => string[] {
  const { master: pool } = driver as unknown as { master: Pool };
  const open = new AsyncLocalStorage<{ isOpen: boolean }>();
  const breaches: string[] = [];

  const transaction = manager.transaction.bind(manager) as (...args: unknown[]) => Promise<unknown>;
  const guarded = (work: Work): Work => {
    // Work that the callback did not await may use the pool after the transaction.
    const state = { isOpen: true };
    return (tx) => open.run(state, () => work(tx)).finally(() => (state.isOpen = false));
  };
  manager.transaction = <T>(...args: unknown[]) =>
    transaction(...args.map((arg) => (typeof arg === 'function' ? guarded(arg as Work) : arg))) as Promise<T>;

  const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
  pool.connect = ((...args: unknown[]) => {
    if (open.getStore()?.isOpen !== true) return connect(...args);
    const error = new Error('A query inside a transaction must use the manager of that transaction');
    breaches.push(error.stack ?? error.message);
    throw error;
  }) as Pool['connect'];

  return () => breaches;
}

/** For the end of a test file: also fails it for violations whose error was caught. */
export function requireNoBreach(breaches: readonly string[]): void {
  if (breaches.length > 0) throw new Error(breaches.join('\n\n'));
}
