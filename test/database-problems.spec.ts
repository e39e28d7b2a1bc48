import { describe, expect, test } from '@jest/globals';
import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';
import { asConnectionError, databaseProblem } from '../src/core/problems/database-problem.js';

/** As the driver throws it, and as TypeORM wraps it. */
const failures = (code: string): Error[] => {
  const error = Object.assign(new DatabaseError('relation "secrets" says no', 1, 'error'), { code });
  return [error, new QueryFailedError('SELECT secret', [], error)];
};

describe('ERR-04 the PostgreSQL error', () => {
  test.each([
    ['08006', 503, 'database_unavailable'],
    ['08P01', 503, 'database_unavailable'],
    ['28000', 503, 'database_unavailable'],
    ['28P01', 503, 'database_unavailable'],
    ['3D000', 503, 'database_unavailable'],
    ['57P01', 503, 'database_unavailable'],
    ['57P03', 503, 'database_unavailable'],
    ['53300', 503, 'database_unavailable'],
    ['53100', 503, 'database_unavailable'],
    ['25006', 503, 'database_unavailable'],
    ['ECONNREFUSED', 503, 'database_unavailable'],
    ['ECONNRESET', 503, 'database_unavailable'],
    ['40001', 503, 'service_unavailable'],
    ['40P01', 503, 'service_unavailable'],
    ['55P03', 503, 'service_unavailable'],
    ['57014', 503, 'service_unavailable'],
    ['23505', 409, 'conflict'],
    ['23503', 409, 'conflict'],
  ])('%s is a %i %s', (code, status, expected) => {
    for (const failure of failures(code)) {
      const problem = databaseProblem(failure);
      expect(problem).toMatchObject({ code: expected, entry: { status }, cause: failure });
      expect(problem?.detail).not.toMatch(/secret/);
    }
  });

  // A wrong statement, a missing table, a value out of range: our own mistakes.
  test.each(['42601', '42P01', '42501', '22003', '23514', '23502', 'XX000'])(
    '%s is a 500, a fault of the service',
    (code) => {
      for (const failure of failures(code)) expect(databaseProblem(failure)).toBeUndefined();
    },
  );

  test.each([
    'timeout exceeded when trying to connect',
    'Query read timeout',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
  ])('of the driver, %j, is a 503', (message) => {
    expect(databaseProblem(new Error(message))).toMatchObject({ code: 'database_unavailable' });
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EPIPE'])(
    '%s is a 503 of the database only on a connection of the driver',
    (code) => {
      const error = Object.assign(new Error(`write ${code}`), { code });
      expect(databaseProblem(error)).toBeUndefined();
      expect(databaseProblem(asConnectionError(error))).toMatchObject({ code: 'database_unavailable' });
    },
  );

  test('is not assumed for other errors', () => {
    for (const error of [new Error('boom'), new TypeError('x is undefined'), 'text', null, undefined]) {
      expect(databaseProblem(error)).toBeUndefined();
    }
  });
});
