import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { UsageService } from '../../src/usage/usage.service.js';
import { pagesOf } from '../groups/group-api.js';
import { type Service, startService } from '../support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

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
    [id, service.clock.now().toISOString().slice(0, 10), count],
  );
  return id;
}

test('the list of reports with their usage has at most 100 on a page, and a link to the others', async () => {
  const id = await usedReports(101);
  const path = `/api/usage/reports?days=1&limit=1000&workspace_id=${id}`;
  const pages = await pagesOf<{ reports: object[] }>(await service.asAdmin(), path);
  expect(pages.map(({ reports }) => reports.length)).toEqual([100, 1]);
});

test('a file of reports contains each of them once, also if their figures change meanwhile', async () => {
  const workspaceId = await usedReports(101);
  const { id: adminId, email, role } = await service.factory.admin();
  const caller = { id: adminId, email, role, sessionId: '' };
  const query = { days: 1, workspace_id: workspaceId, sort: '-views', limit: 1000, exclude_admins: false };
  const chunks = service.app.get(UsageService).listAll(caller, query);
  const found: string[] = [];
  for await (const chunk of chunks) {
    found.push(...chunk.map(({ id }) => id));
    await service.database.query(
      'UPDATE usage_report_day SET views = 2 WHERE workspace_id = $1 AND report_id <> ALL($2::uuid[])',
      [workspaceId, found],
    );
  }
  expect([found.length, new Set(found).size]).toEqual([101, 101]);
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
