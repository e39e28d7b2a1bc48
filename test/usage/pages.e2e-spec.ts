import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { pagesOf } from '../groups/group-api.js';
import { type Service, startService } from '../support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('the list of reports with their usage has at most 100 on a page, and a link to the others', async () => {
  const { id } = await service.factory.workspace();
  await service.database.query(
    `WITH added AS (
       INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 'Report ' || n, 'PowerBIReport', '', now() FROM generate_series(1, 101) n
       RETURNING id)
     INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, views)
     SELECT $2::date, id, false, $1, 1 FROM added`,
    [id, service.clock.now().toISOString().slice(0, 10)],
  );
  const path = '/api/usage/reports?days=1&limit=1000';
  const pages = await pagesOf<{ reports: object[] }>(await service.asAdmin(), path);
  expect(pages.map(({ reports }) => reports.length)).toEqual([100, 1]);
});
