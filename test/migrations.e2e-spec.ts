import { describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { migrate } from '../src/migrate.js';
import { createEmptyDatabase } from './support/database.js';
import { until } from './support/until.js';

describe('DUR-10: migrations', () => {
  test('that are concurrent run once, and running again changes nothing', async () => {
    const fresh = await createEmptyDatabase();
    await Promise.all([
      migrate({ url: fresh.url }),
      migrate({ url: fresh.url }),
      migrate({ url: fresh.url }),
    ]);
    const client = new Client({ connectionString: fresh.url });
    await client.connect();
    const done = async () => (await client.query('SELECT name FROM migrations ORDER BY id')).rows;
    const first = await done();
    expect(new Set(first.map(({ name }) => name)).size).toBe(first.length);
    await migrate({ url: fresh.url });
    expect(await done()).toEqual(first);
    await client.end();
    await fresh.drop();
  });

  test('one that waits for a lock lets others pass and retries; an interrupted one continues', async () => {
    const fresh = await createEmptyDatabase();
    await migrate({ url: fresh.url });
    const [reader, other, observer] = [
      new Client({ connectionString: fresh.url }),
      new Client({ connectionString: fresh.url }),
      new Client({ connectionString: fresh.url }),
    ];
    await Promise.all([reader, other, observer].map((client) => client.connect()));
    // As if the release before were at work: its last migration has not been made yet.
    await reader.query(`DELETE FROM migrations WHERE name LIKE 'SyncProgress%'`);
    await reader.query('ALTER TABLE sync_runs DROP COLUMN workspaces_done, DROP COLUMN workspaces_total');
    await reader.query('BEGIN; SELECT FROM sync_runs');
    await expect(migrate({ url: fresh.url, tries: 1 })).rejects.toThrow(/lock timeout/);
    const migrating = migrate({ url: fresh.url });
    const waits = () =>
      observer.query(`SELECT FROM pg_locks WHERE relation = 'sync_runs'::regclass AND NOT granted`);
    for (let round = 0; round < 2; round += 1) {
      await until(async () => (await waits()).rowCount !== 0);
      // Waits behind the migration, which gives up its place: the other transaction is still open.
      await other.query('SELECT count(*) FROM sync_runs');
    }
    await reader.query('COMMIT');
    await migrating;
    expect((await other.query('SELECT workspaces_done FROM sync_runs')).rowCount).toBe(0);
    await Promise.all([reader, other, observer].map((client) => client.end()));
    await fresh.drop();
  });
});
