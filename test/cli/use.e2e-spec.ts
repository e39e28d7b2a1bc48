import { describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vitrine } from '../support/cli.js';
import { createEmptyDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { exitCodesHelp } from '../../src/cli/exit-codes.js';

const nowhere = environmentFor({
  databaseUrl: 'postgresql://nobody@127.0.0.1:9/none',
  emulatorUrl: 'http://127.0.0.1:9',
});

describe('vitrine', () => {
  test.each([['--help'], ['users', '--help'], ['sync', '--help']])(
    '%s %s explains the exit codes',
    async (...args) => {
      const { code, stdout } = await vitrine({}, args);
      expect([code, stdout]).toEqual([0, expect.stringContaining(exitCodesHelp.trim())]);
    },
  );

  test('runs from a checkout without npm, also with an older Node (D8)', async () => {
    const older = (await promisify(execFile)('which', ['-a', 'node'])).stdout.trim().split('\n').at(-1);
    for (const node of [process.execPath, older ?? 'node']) {
      const { stdout } = await promisify(execFile)(node, ['bin/vitrine.js', '--help']);
      expect(stdout).toContain('Usage: node bin/vitrine.js');
      await expect(promisify(execFile)(node, ['bin/vitrine.js', 'users', '--rolle'])).rejects.toMatchObject({
        code: 2,
      });
    }
  });

  test('names the missing step in a checkout without packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
    try {
      cpSync('bin/vitrine.js', join(folder, 'bin/vitrine.mjs'));
      const { status, stderr } = spawnSync(process.execPath, [join(folder, 'bin/vitrine.mjs'), '--help']);
      expect([status, String(stderr)]).toEqual([2, expect.stringContaining('Run "npm ci" first')]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('docs/cli.md lists the same exit codes', () => {
    const rows = readFileSync('docs/cli.md', 'utf8').matchAll(/^\| `(\d)` +\| (.*?) +\|$/gm);
    const written = [...rows].map(([, code, text]) => `  ${code}  ${text}`);
    expect(exitCodesHelp.trim().split('\n').slice(1)).toEqual(written);
  });

  test('exit code 2: an unknown option, or an invalid configuration', async () => {
    expect(await vitrine(nowhere, ['users', 'list', '--rolle'])).toMatchObject({ code: 2 });
    const { code, stderr } = await vitrine({}, ['users', 'list']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('DATABASE_URL is missing')]);
  });

  test('exit code 4: an unreachable database, with its error code', async () => {
    const { code, stdout, stderr } = await vitrine(nowhere, ['users', 'list', '--json']);
    expect([code, stdout]).toEqual([4, '']);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'database_unavailable' } });
  });

  test('exit code 4: a database that refuses the migrations, with its reason', async () => {
    const database = await createEmptyDatabase();
    await database.drop();
    const { code, stderr } = await vitrine({ DATABASE_MIGRATION_URL: database.url }, ['migrate']);
    expect([code, stderr]).toEqual([4, expect.stringMatching(/ does not exist.*\(database_unavailable\)/)]);
  });

  test('exit code 4: pending migrations', async () => {
    const database = await createEmptyDatabase();
    try {
      const environment = environmentFor({ databaseUrl: database.url, emulatorUrl: 'http://127.0.0.1:9' });
      const { code, stderr } = await vitrine(environment, ['users', 'list']);
      expect([code, stderr]).toEqual([4, expect.stringContaining('DATABASE_MIGRATION_URL')]);
    } finally {
      await database.drop();
    }
  });
});
