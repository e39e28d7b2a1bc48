import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type EntityManager } from 'typeorm';
import { Bulkhead, Busy } from '../async/bulkhead.js';
import { Config } from '../config/config.js';
import { requestContext } from '../http/request-context.js';
import { errorInTransaction } from '../problems/database-problem.js';
import { problem } from '../problems/problem.js';
import { connectionsFor } from './connection-shares.js';
import { execute } from './execute.js';
import type { Statement } from './personal-data.js';

const CONCURRENT = 2;
const QUEUE = 20;
const WAIT_MS = 10_000;
/** The role of the service has the same limit as `idle_in_transaction_session_timeout`. */
const STALL_MS = 10_000;
const MAX_MS = 300_000;
const ROWS = 200;

class TooManySnapshots extends problem('service_unavailable', 'Too many concurrent exports. Try again.', {
  retryAfter: 10,
}) {}

/** Yields the rows of a query, at most 200 at a time, by a cursor of the transaction. */
export async function* rowsInBatches(tx: EntityManager, [text, values]: Statement): AsyncGenerator<object[]> {
  await execute(tx, `DECLARE batches NO SCROLL CURSOR FOR ${text}`, values, false);
  let rows: object[];
  do {
    ({ rows } = await execute(tx, `FETCH ${ROWS} FROM batches`, [], false));
    if (rows.length > 0) yield rows;
  } while (rows.length === ROWS);
  await execute(tx, 'CLOSE batches', [], false);
}

/** Reads that stream one state of the database. */
@Injectable()
export class SnapshotService {
  private readonly slots: Bulkhead;

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    config: Config,
  ) {
    this.slots = new Bulkhead(
      Math.min(CONCURRENT, connectionsFor('snapshots', config.database.poolSize)),
      QUEUE,
    );
  }

  /**
   * Yields what `work` yields, which reads in one transaction and therefore holds a connection until the consumer has
   * finished: at most two at a time on each replica. The transaction ends when the consumer takes more than 10 s for one chunk or
   * 5 minutes in total; the next chunk then throws. Throws a 503 problem if no slot is released within 10 s.
   */
  async *read<T>(work: (tx: EntityManager) => AsyncGenerator<T>): AsyncGenerator<T> {
    const done = Promise.withResolvers<void>();
    try {
      await this.slot(done.promise);
      yield* this.inTransaction(work);
    } finally {
      done.resolve();
    }
  }

  /** Takes a slot until the promise is settled. */
  private async slot(until: Promise<void>): Promise<void> {
    const started = Promise.withResolvers<void>();
    const held = this.slots.run(
      () => {
        started.resolve();
        return until;
      },
      WAIT_MS,
      requestContext()?.signal,
    );
    try {
      await Promise.race([started.promise, held]);
    } catch (error) {
      throw error instanceof Busy ? new TooManySnapshots() : error;
    }
    held.catch(() => undefined);
  }

  private async *inTransaction<T>(work: (tx: EntityManager) => AsyncGenerator<T>): AsyncGenerator<T> {
    const runner = this.source.createQueryRunner();
    let isOver = false;
    const end = async (): Promise<void> => {
      if (runner.isReleased) return;
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    };
    const expire = (): void => {
      isOver = true;
      void end();
    };
    const total = setTimeout(expire, MAX_MS);
    try {
      await runner.startTransaction('REPEATABLE READ');
      for await (const chunk of work(runner.manager)) {
        const stall = setTimeout(expire, STALL_MS);
        try {
          yield chunk;
        } finally {
          clearTimeout(stall);
        }
      }
    } catch (error) {
      // A consumer that takes too long is no outage of the database.
      throw isOver ? error : errorInTransaction(error);
    } finally {
      clearTimeout(total);
      await end();
    }
  }
}
