import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { idOf } from '@vitrine/power-bi-emulator';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { setContent, syncOnce } from '../support/syncing.js';

/** Four bytes each, and nothing that a compression could use. */
const random = (length: number) =>
  Array.from({ length }, () => String.fromCodePoint(randomInt(0x20000, 0x2a6d0))).join('');

let service: Service;
let admin: Client;

const start = async (variables: Record<string, string> = {}) => {
  service = await startService(variables);
  admin = await service.asAdmin();
};
beforeEach(() => start());
afterEach(() => service.close());

interface Named {
  name: string;
  description?: string;
}
const listed = async (what: string): Promise<Named[]> =>
  (await admin.get<Record<string, Named[]>>(`/api/${what}?limit=100`)).body[what] ?? [];
const nameIn = async (what: string) => (await listed(what))[0]?.name;
const seed = (...workspaces: object[]) => setContent(service, { workspaces });

describe('text lengths in the catalogue (M6)', () => {
  test.each([400, 401, 2000])(
    'names of %i incompressible characters are stored and listed',
    async (length) => {
      const [workspace, report, dataset] = [random(length), random(length), random(length)];
      await seed({ name: workspace, reports: [{ name: report }], datasets: [{ name: dataset }] });
      expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', errors: [] });
      const bounded = (name: string) => (length > 400 ? `${[...name].slice(0, 399).join('')}…` : name);
      expect(await nameIn('workspaces')).toBe(bounded(workspace));
      expect(await nameIn('reports')).toBe(bounded(report));
      expect(await nameIn('datasets')).toBe(bounded(dataset));
      const [{ longest }] = await service.database.query(
        'SELECT max(octet_length(name_key))::int AS longest FROM reports',
      );
      expect(longest).toBeLessThanOrEqual(1600);
      expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', changes: 0 });
    },
  );

  test('a report that is listed twice is stored once', async () => {
    await seed({ name: 'Sales', reports: [{ name: 'Revenue' }] });
    const report = { id: idOf('report', 1, 1), name: 'Revenue' };
    const body = { value: [report, { ...report, id: report.id.toUpperCase() }] };
    await service.powerBi.post('/__emulator/faults', { path: '/reports$', status: 200, body });
    expect(await syncOnce(admin)).toMatchObject({ status: 'succeeded', reports_seen: 1 });
  });
});

describe('one workspace that cannot be stored (M6)', () => {
  const [good, bad] = [idOf('workspace', 1), idOf('workspace', 2)];

  test('ends the run as partial with its id and the reason, and the others are stored', async () => {
    await service.database.query(`ALTER TABLE reports ADD CONSTRAINT no_bad_name CHECK (name <> 'Bad')`);
    await seed(
      { name: 'Sales', id: good, reports: [{ name: 'Revenue' }] },
      { name: 'Finance', id: bad, reports: [{ name: 'Bad' }] },
    );
    const run = await syncOnce(admin);
    expect(run).toMatchObject({ status: 'partial', workspaces_done: 2, workspaces_failed: 1 });
    expect(run.errors).toEqual([
      {
        pbi_workspace_id: bad,
        code: 'workspace_not_stored',
        detail: expect.stringContaining('no_bad_name'),
      },
    ]);
    expect((await listed('reports')).map(({ name }) => name)).toEqual(['Revenue']);
  });

  test.each(['roles', 'admin'])(
    'POWERBI_CATALOGUE=%s: malformed content ends the run as partial, and the others are stored',
    async (mode) => {
      await service.close();
      await start({ POWERBI_CATALOGUE: mode });
      const workspace = (id: string, report: string) => ({
        id,
        name: `Workspace of ${report}`,
        reports: [{ id: report, name: 'Revenue' }],
        datasets: [],
      });
      const value = [workspace(good, idOf('report', 1, 1)), workspace(bad, 'x'.repeat(129))];
      const fault = (path: string, body: object) =>
        service.powerBi.post('/__emulator/faults', { path, status: 200, body });
      await fault('/groups$', { value });
      for (const { id, reports, datasets } of value) {
        await fault(`${id}/reports$`, { value: reports });
        await fault(`${id}/datasets$`, { value: datasets });
      }
      const run = await syncOnce(admin);
      expect(run).toMatchObject({ status: 'partial', workspaces_failed: 1 });
      expect(run.errors).toEqual([
        {
          pbi_workspace_id: bad,
          code: 'power_bi_unavailable',
          detail: 'Power BI sent a malformed response: an id is too long.',
        },
      ]);
      expect(await listed('reports')).toHaveLength(1);
    },
  );
});
