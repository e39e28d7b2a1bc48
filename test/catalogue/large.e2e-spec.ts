import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { isFull } from '../support/test-size.js';
import { until } from '../support/until.js';
import { callsTo, setContent, syncOnce, catalogueHash, countCatalogueWrites } from '../support/syncing.js';

const MINUTES = 240_000;

// By role: two calls for each workspace, and one for each page of the listing. As an admin: pages only.
describe.each([
  isFull
    ? { mode: 'roles', workspaces: 1000, reportsEach: 100, calls: 2002 }
    : { mode: 'roles', workspaces: 100, reportsEach: 20, calls: 201 },
  isFull
    ? { mode: 'admin', workspaces: 500, reportsEach: 20, calls: 3 }
    : { mode: 'admin', workspaces: 150, reportsEach: 10, calls: 1 },
])('$workspaces workspaces of $reportsEach reports, catalogue by $mode', (size) => {
  const { mode, workspaces, reportsEach, calls } = size;
  const datasetsEach = reportsEach / 10;
  let service: Service;
  let admin: Client;

  beforeAll(async () => {
    service = await startService({ POWERBI_CATALOGUE: mode });
    await service.powerBi.patch('/__emulator/settings', { documented_limits: true });
    admin = await service.asAdmin();
    await setContent(service, { workspaces, reports_per_workspace: reportsEach });
    await service.powerBi.delete('/__emulator/calls');
  });
  afterAll(() => service.close());

  test(
    'the first sync stores everything',
    async () => {
      expect(await syncOnce(admin, 200)).toMatchObject({
        status: 'succeeded',
        workspaces_seen: workspaces,
        workspaces_done: workspaces,
        workspaces_total: workspaces,
        workspaces_failed: 0,
        reports_seen: workspaces * reportsEach,
        changes: workspaces * (1 + reportsEach + datasetsEach),
      });
      // One that is answered too slowly is made again: on a busy machine there are a few.
      const made = (await callsTo(service, /myorg/)).length;
      expect(made).toBeGreaterThanOrEqual(calls);
      expect(made).toBeLessThanOrEqual(Math.ceil(calls * 1.1));
      const [counts] = await service.database.query(
        'SELECT count(*)::int AS rows, sum(report_count)::int AS reports FROM workspaces',
      );
      expect(counts).toEqual({ rows: workspaces, reports: workspaces * reportsEach });
    },
    MINUTES,
  );

  test(
    'the second sync writes no row',
    async () => {
      const first = workspaces * (2 + reportsEach + datasetsEach);
      // PostgreSQL adds up what its sessions did when they have been idle for a while.
      await until(async () => (await countCatalogueWrites(service)) === first);
      const before = await catalogueHash(service);
      expect(await syncOnce(admin, 200)).toMatchObject({ status: 'succeeded', changes: 0 });
      expect(await catalogueHash(service)).toBe(before);
      expect(await countCatalogueWrites(service)).toBe(first);
    },
    MINUTES,
  );
});
