import { types } from 'node:util';
import { DatabaseError } from 'pg';
import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { Problem } from './problem.js';

interface PostgresError {
  code?: string;
  constraint?: string;
}

/** The error of PostgreSQL, with its code and constraint, however the statement was run. */
export const errorOf = (error: unknown): PostgresError =>
  (error instanceof QueryFailedError ? error.driverError : error) as PostgresError;

/** The errors that the connections of the driver reported without a class of their own, such as a refused connection. */
const connectionErrors = new WeakSet<Error>();

/** Marks an error of a database connection: its code alone does not distinguish it from a closed pipe or another server's. */
export function asConnectionError(error: unknown): unknown {
  if (types.isNativeError(error)) connectionErrors.add(error);
  return error;
}

const isOfDriver = (error: Error, cause: unknown): boolean =>
  error instanceof QueryFailedError || cause instanceof DatabaseError || connectionErrors.has(error);

/**
 * Connection lost, refused or over the limit, server shutting down, idle transaction timeout, read-only server, or
 * timeout of the pool or of the driver. A sign-in to the database fails while its password or the database is replaced.
 */
const unavailable =
  /^(08...|28000|28P01|3D000|57P0.|53...|25006|25P0[34]|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/;
const unavailableText =
  /timeout exceeded when trying to connect|Query read timeout|Connection terminated|Driver not Connected|and is not queryable/;
/** Serialization failure, deadlock, lock or statement timeout: a retry may succeed. */
const busy = /^(40001|40P01|55P03|57014)$/;

/** Whether PostgreSQL rolled the transaction back to resolve a deadlock. */
export const isDeadlock = (error: unknown): boolean =>
  types.isNativeError(error) && isOfDriver(error, errorOf(error)) && errorOf(error).code === '40P01';

export const databaseUnavailable = (cause?: Error): Problem =>
  new Problem('database_unavailable', 'Try again in a moment.', { retryAfter: 2, cause });

/**
 * The error of an open transaction. A connection that is lost between two statements is released at once, and the next
 * statement says so. After the end of a transaction the same error is a defect of the service.
 */
export const errorInTransaction = (error: unknown): unknown =>
  error instanceof QueryRunnerAlreadyReleasedError || error instanceof QueryRunnerProviderAlreadyReleasedError
    ? databaseUnavailable(error)
    : error;

/** Whether the same work may succeed later, because only the database was unavailable or busy. */
export const isDatabaseOutage = (error: unknown): boolean =>
  error instanceof Problem && (error.code === 'database_unavailable' || error.code === 'service_unavailable');

/** Whether a job that failed with this error is repeated: a Problem other than an outage of the database is its result. */
export const isRepeated = (error: unknown): boolean => !(error instanceof Problem) || isDatabaseOutage(error);

/** Maps a PostgreSQL failure to a Problem; undefined for any other error, including defects of the service. */
export function databaseProblem(error: unknown): Problem | undefined {
  if (!types.isNativeError(error)) return undefined;
  const cause = errorOf(error);
  // Cancelled, because the response is no longer needed.
  if (cause instanceof Problem) return cause;
  const { code = '' } = isOfDriver(error, cause) ? cause : {};
  if (unavailable.test(code) || unavailableText.test(error.message)) return databaseUnavailable(error);
  if (busy.test(code)) {
    return new Problem('service_unavailable', 'The database is busy. Try again.', {
      retryAfter: 1,
      cause: error,
    });
  }
  if (code === '23505')
    return new Problem('conflict', 'Another request made the same change at the same time.', {
      cause: error,
    });
  if (code === '23503')
    return new Problem('conflict', 'A referenced resource no longer exists.', { cause: error });
  return undefined;
}
