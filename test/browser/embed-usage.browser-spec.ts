import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type HelperFixture, type PageSession, startHelperFixture } from '../embedding/embed-helper.js';
import { until } from '../support/until.js';

let fixture: HelperFixture;
let session: PageSession;

beforeAll(async () => {
  fixture = await startHelperFixture();
  // Seconds, in the last third of which tokens are renewed.
  await fixture.setTokenLifetime(6);
  session = await fixture.session();
});
afterEach(() => session.close());
afterAll(() => fixture.close());

interface Row {
  report_id: string;
  page_views: number;
  visible_ms: number;
  render_ms: number;
  pages: string[];
}

/** The service has another origin than the page. */
test("the example page of the embed helper's guide reports one view, through several tokens", async () => {
  const { database } = fixture.embedding.service;
  await session.openReport();
  await until(() => session.statuses.length >= 3, 25);
  await session.page.goto('about:blank');
  const views = await until(async () => {
    const rows = await database.query<Row[]>('SELECT * FROM usage_views');
    return rows.some((row) => row.visible_ms > 0) && rows;
  });
  expect(views).toMatchObject([{ report_id: fixture.revenue.id, page_views: 2 }]);
  const [{ pages, render_ms, visible_ms }] = views as [Row];
  expect(pages.toSorted()).toEqual(['ReportSection', 'ReportSection1']);
  expect(render_ms).toBeGreaterThan(0);
  // Two of the three tokens have lived to their renewal.
  expect(visible_ms).toBeGreaterThan(4000);
  const tokens = await database.query<object[]>('SELECT grant_id FROM usage_tokens');
  expect(tokens.length).toBeGreaterThan(1);
}, 60_000);
