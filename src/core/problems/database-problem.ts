import { types } from 'node:util';
import { QueryFailedError } from 'typeorm';
import { Problem } from './problem.js';

interface PostgresError {
  code?: string;
  constraint?: string;
}

const errorOf = (error: unknown): PostgresError =>
  (error instanceof QueryFailedError ? error.driverError : error) as PostgresError;

/** Connection lost, refused, too many, shutting down, cut for idling in a transaction, read-only, or no connection from the pool in time. */
const unavailable = /^(08...|57P0.|53...|25006|25P0[34]|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/;
const unavailableText = /timeout exceeded when trying to connect|Connection terminated|Driver not Connected/;
/** Serialization, deadlock, lock or statement timeout: the same request may succeed a moment later. */
const busy = /^(40001|40P01|55P03|57014)$/;

/** A failure of PostgreSQL as a problem, or undefined when it is something else or our own mistake. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (!types.isNativeError(error)) return undefined;
  const cause = errorOf(error);
  // Cancelled, because nobody waits for the answer any more.
  if (cause instanceof Problem) return cause;
  const { code = '' } = cause;
  if (unavailable.test(code) || unavailableText.test(error.message)) {
    return new Problem('database_unavailable', 'Try again in a moment.', { retryAfter: 2, cause: error });
  }
  if (busy.test(code)) {
    return new Problem('service_unavailable', 'The database is busy. Try again.', {
      retryAfter: 1,
      cause: error,
    });
  }
  if (code === '23505')
    return new Problem('conflict', 'Somebody else just made the same change.', { cause: error });
  if (code === '23503') return new Problem('conflict', 'What this refers to is gone.', { cause: error });
  return undefined;
}
