import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { rowEstimate } from '../../src/core/database/row-estimate.js';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { lockNesting } from '../../src/access/groups/group-edges.queries.js';
import type { Client } from '../support/client.js';
import { startWatched, type Watched } from './scrape.js';

let watched: Watched;
let admin: Client;

beforeAll(async () => {
  watched = await startWatched();
  admin = await watched.service.asAdmin();
});
afterAll(() => watched.service.close());

/** By how much a value grows while something is done. */
async function growth(
  name: string,
  labels: Record<string, string>,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = (await watched.valueOf(name, labels)) ?? 0;
  await work();
  return ((await watched.valueOf(name, labels)) ?? 0) - before;
}

describe('OBS-07 metrics', () => {
  // The first scrape: the state of the database is read at most every ten seconds.
  test('of groups, their people and grants', async () => {
    const { factory } = watched.service;
    const [ada, ben] = [await factory.user(), await factory.user()];
    const team = await factory.group({}, [ada, ben]);
    await factory.group({ source: 'scim' });
    const report = await factory.report(await factory.workspace());
    await admin.put(`/api/reports/${report.id}/grants/groups/${team.id}`, { role: 'viewer' });
    await admin.put(`/api/workspaces/${report.workspaceId}/grants/users/${ada.id}`, { role: 'viewer' });
    const samples = (await watched.scrape())
      .filter(({ name }) => /^vitrine_(groups|group_memberships|grants)$/.test(name))
      .map(({ name, labels, value }) => [name, ...Object.values(labels), value].join(' '));
    expect(new Set(samples)).toEqual(
      new Set([
        'vitrine_groups manual 1',
        'vitrine_groups scim 1',
        'vitrine_group_memberships 2',
        'vitrine_grants workspace user 1',
        'vitrine_grants workspace group 0',
        'vitrine_grants report user 0',
        'vitrine_grants report group 1',
      ]),
    );
  });

  test('of changes of groups, by result', async () => {
    const { factory } = watched.service;
    const [team, inner] = [await factory.group(), await factory.group()];
    const changes = 'vitrine_group_change_duration_seconds_count';
    const nest = (id: string) => () => admin.put(`/api/groups/${team.id}/members/groups/${id}`);
    expect(await growth(changes, { change: 'groups', result: 'done' }, nest(inner.id))).toBe(1);
    expect(await growth(changes, { change: 'groups', result: 'refused' }, nest(team.id))).toBe(1);
    const unknown = () => admin.put(`/api/groups/${team.id}/members/users/${team.id}`);
    expect(await growth(changes, { change: 'people', result: 'refused' }, unknown)).toBe(1);
    const remove = () => admin.delete(`/api/groups/${team.id}`);
    expect(await growth(changes, { change: 'groups', result: 'done' }, remove)).toBe(1);
  });

  test('of waits for the lock of groups that end with a timeout', async () => {
    const database = watched.service.app.get(DatabaseService);
    const waits = 'vitrine_group_lock_wait_seconds_count';
    const collide = async () => {
      const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const holder = database.transaction(async (tx) => {
        await lockNesting(tx);
        locked.resolve();
        await release.promise;
      });
      await locked.promise;
      const late = database.transaction(async (tx) => {
        await tx.query(`SET LOCAL lock_timeout = '50ms'`);
        await lockNesting(tx);
      });
      await expect(late).rejects.toThrow('lock timeout');
      release.resolve();
      await holder;
    };
    expect(await growth(waits, { result: 'busy' }, collide)).toBe(1);
    expect(await growth(waits, { result: 'done' }, collide)).toBe(1);
  });
});

test('many rows are estimated, few are counted', async () => {
  const { database } = watched.service;
  const count = async (column: string): Promise<number> =>
    (await database.query<{ count: number }[]>(`SELECT ${rowEstimate('many', column)} AS count`))[0]?.count ??
    0;
  await database.query('CREATE TABLE many (id int, odd int)');
  try {
    await database.query('INSERT INTO many SELECT n, nullif(n % 2, 0) FROM generate_series(1, 9000) n');
    expect([await count('id'), await count('odd')]).toEqual([9000, 4500]);
    await database.query('INSERT INTO many SELECT n, nullif(n % 2, 0) FROM generate_series(1, 31000) n');
    await database.query('ANALYZE many');
    expect(await count('id')).toBe(40_000);
    expect(Math.abs((await count('odd')) - 20_000)).toBeLessThan(1000);
  } finally {
    await database.query('DROP TABLE many');
  }
});
