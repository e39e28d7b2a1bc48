import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Pool } from 'pg';
import { inRequestContext } from '../../src/core/http/request-context.js';
import { CancellableClient } from '../../src/core/database/cancellable-client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createDatabase();
  pool = new Pool({ connectionString: database.url, max: 1, pipeline: true, Client: CancellableClient });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const within = <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> =>
  inRequestContext({ requestId: 'r', ip: '', userAgent: '', signal }, work);

test('LOAD-08: a cancel that comes just as its query ends never hits the next one', async () => {
  const outcomes = { done: 0, cancelled: 0 };
  const client = await pool.connect();
  for (let round = 0; round < 200; round += 1) {
    const giveUp = new AbortController();
    // Around the time that the query takes, before and after its end.
    const timer = setTimeout(() => giveUp.abort(new Error('given up')), round % 10);
    try {
      await within(giveUp.signal, () => client.query('SELECT pg_sleep(0.004)'));
      outcomes.done += 1;
    } catch (error) {
      if ((error as Error).message !== 'given up') throw error;
      outcomes.cancelled += 1;
    }
    clearTimeout(timer);
    const { rows } = await client.query<{ slept: string }>('SELECT pg_sleep(0.001)::text AS slept');
    expect(rows).toHaveLength(1);
  }
  client.release();
  expect(outcomes.done + outcomes.cancelled).toBe(200);
  expect(outcomes.cancelled).toBeGreaterThan(0);
});

test('LOAD-08: several at once are cancelled together, and the transaction can be rolled back', async () => {
  const outcomes = { done: 0, cancelled: 0 };
  const client = await pool.connect();
  for (let round = 0; round < 100; round += 1) {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(new Error('given up')), round % 10);
    await client.query('BEGIN');
    try {
      const sleep = (seconds: number) => client.query(`SELECT pg_sleep(${seconds})`);
      await within(giveUp.signal, () => Promise.all([sleep(0.002), sleep(0.001), sleep(0.002)]));
      outcomes.done += 1;
    } catch (error) {
      if ((error as Error).message !== 'given up') throw error;
      outcomes.cancelled += 1;
    }
    clearTimeout(timer);
    await client.query('ROLLBACK');
    expect((await client.query('SELECT pg_sleep(0.001)')).rows).toHaveLength(1);
  }
  client.release();
  expect(outcomes.done + outcomes.cancelled).toBe(100);
  expect(outcomes.cancelled).toBeGreaterThan(0);
});

test('LOAD-08: after it was given up a request can roll back, and do nothing else', async () => {
  const giveUp = new AbortController();
  await within(giveUp.signal, async () => {
    const client = await pool.connect();
    await client.query('BEGIN');
    await client.query('CREATE TABLE half_done ()');
    giveUp.abort(new Error('given up'));
    await expect(client.query('SELECT 1')).rejects.toThrow('given up');
    await expect(client.query('COMMIT')).rejects.toThrow('given up');
    await client.query('ROLLBACK');
    client.release();
  });
  const { rows } = await pool.query<{ found: string | null }>(`SELECT to_regclass('half_done') AS found`);
  expect(rows).toEqual([{ found: null }]);
});

test('LOAD-08: a query is cancelled on the server, and its connection goes on', async () => {
  const client = await pool.connect();
  const began = performance.now();
  await expect(
    within(AbortSignal.timeout(100), () => client.query('SELECT pg_sleep(60)')),
  ).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(performance.now() - began).toBeLessThan(20_000);
  expect((await client.query<{ one: number }>('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
  client.release();
});
