import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Principal } from '../../src/core/http/principal.js';
import { UsageService } from '../../src/usage/usage.service.js';
import { pagesOf } from '../groups/group-api.js';
import { type Service, startService } from '../support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
  service.clock.leaveEndOfDayAndHour();
});
afterAll(() => service.close());

const today = () => service.clock.now().toISOString().slice(0, 10);

/** Reports of a new workspace, each with one view today. */
async function usedReports(count: number): Promise<string> {
  const { id } = await service.factory.workspace();
  await service.database.query(
    `WITH added AS (
       INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 'Report ' || n, 'PowerBIReport', '', now() FROM generate_series(1, $3::int) n
       RETURNING id)
     INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, views)
     SELECT $2::date, id, false, $1, 1 FROM added`,
    [id, today(), count],
  );
  return id;
}

test('the list of reports with their usage has at most 100 on a page, and a link to the others', async () => {
  const id = await usedReports(101);
  const path = `/api/usage/reports?days=1&limit=1000&workspace_id=${id}`;
  const pages = await pagesOf<{ reports: object[] }>(await service.asAdmin(), path);
  expect(pages.map(({ reports }) => reports.length)).toEqual([100, 1]);
});

describe('a file contains each row once, also if their order changes meanwhile', () => {
  let caller: Principal;
  const query = { days: 1, limit: 1000, exclude_admins: false };
  const usage = () => service.app.get(UsageService);

  beforeAll(async () => {
    const { id, email, role } = await service.factory.admin();
    caller = { id, email, role, sessionId: '' };
  });

  /** The number of rows and of different ones, while `change` moves those that are not read yet to the beginning. */
  async function countRows(
    chunks: AsyncGenerator<{ id: string }[]>,
    change: string,
    workspaceId?: string,
  ): Promise<number[]> {
    const found: string[] = [];
    for await (const chunk of chunks) {
      found.push(...chunk.map(({ id }) => id));
      await service.database.query(change, workspaceId === undefined ? [found] : [found, workspaceId]);
    }
    return [found.length, new Set(found).size];
  }

  test('of the usage of reports', async () => {
    const workspace_id = await usedReports(101);
    const chunks = usage().listAll(caller, { ...query, workspace_id, sort: '-views' });
    const change =
      'UPDATE usage_report_day SET views = 2 WHERE report_id <> ALL($1::uuid[]) AND workspace_id = $2';
    expect(await countRows(chunks, change, workspace_id)).toEqual([101, 101]);
  });

  test('of the usage of workspaces', async () => {
    await service.database.query(
      `WITH added AS (
         INSERT INTO workspaces (id, pbi_workspace_id, name, updated_at)
         SELECT gen_random_uuid(), gen_random_uuid(), 'Branch ' || n, now() FROM generate_series(1, 1001) n RETURNING id)
       INSERT INTO usage_workspace_day (day, workspace_id, by_admin, views) SELECT $1::date, id, false, 1 FROM added`,
      [today()],
    );
    const chunks = usage().listAllWorkspaces(caller, { ...query, q: 'Branch', sort: '-views' });
    const change = 'UPDATE usage_workspace_day SET views = 2 WHERE workspace_id <> ALL($1::uuid[])';
    expect(await countRows(chunks, change)).toEqual([1001, 1001]);
  });

  test('of unused reports', async () => {
    const workspace_id = await usedReports(1001);
    await service.database.query(
      `INSERT INTO usage_last_views SELECT id, $2::timestamptz - interval '1 year' FROM reports WHERE workspace_id = $1`,
      [workspace_id, service.clock.now()],
    );
    const chunks = usage().listAllUnused(caller, { ...query, workspace_id, sort: 'name' });
    const change = `UPDATE reports SET name = 'A' WHERE id <> ALL($1::uuid[]) AND workspace_id = $2`;
    expect(await countRows(chunks, change, workspace_id)).toEqual([1001, 1001]);
  });
});

test('a report that was never opened is unused once it exists for that long', async () => {
  const workspace = await service.factory.workspace();
  const report = await service.factory.report(workspace);
  const unused = async () => {
    const path = `/api/usage/unused?days=90&workspace_id=${workspace.id}`;
    const { body } = await (await service.asAdmin()).get<{ reports: { report_id: string }[] }>(path);
    return body.reports.map(({ report_id }) => report_id);
  };
  expect(await unused()).toEqual([]);
  service.clock.advance(91 * 86_400);
  expect(await unused()).toEqual([report.id]);
});
