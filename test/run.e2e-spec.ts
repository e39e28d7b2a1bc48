import { describe, expect, test } from 'vitest';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client } from 'pg';
import { createDatabase } from './support/database.js';

const { TEST_DATABASE_URL: server = '', TEST_RUN_ID: thisRun = '' } = process.env;

async function databasesOfOtherRuns(): Promise<string[]> {
  const client = new Client({ connectionString: server });
  await client.connect();
  const { rows } = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
  await client.end();
  return rows.map(({ datname }) => datname).filter((name) => !name.includes(thisRun));
}

describe('npm test with an existing server', () => {
  test('removes every database that it created, and no other', async () => {
    const mine = await createDatabase();
    const before = await databasesOfOtherRuns();
    const tests = spawn(process.execPath, ['test/run.js', 'test/health.e2e-spec.ts'], {
      env: { ...process.env, DATABASE_URL: server },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const said = tests.stderr.setEncoding('utf8').toArray();
    const [code] = (await once(tests, 'exit')) as [number];
    expect({ code, said: code === 0 ? '' : (await said).join('') }).toEqual({ code: 0, said: '' });
    expect(await databasesOfOtherRuns()).toEqual(before);
    await mine.drop();
  }, 120_000);
});
