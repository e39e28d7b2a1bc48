import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type HelperFixture, type PageSession, startHelperFixture } from '../embedding/embed-helper.js';
import { until } from '../support/until.js';

let fixture: HelperFixture;
let session: PageSession;

beforeAll(async () => {
  fixture = await startHelperFixture();
  // Seconds, in the last third of which tokens are renewed.
  await fixture.setTokenLifetime(6);
});
beforeEach(async () => {
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

/**
 * Once the view was reported to its end, with its pages: the last batch can arrive before one that is under way. The service
 * has another origin than the page.
 */
const reportedViews = (pages: number): Promise<Row[]> =>
  until(async () => {
    const rows = await fixture.embedding.service.database.query<Row[]>(
      `SELECT v.* FROM usage_views v JOIN usage_people p ON p.number = v.person WHERE p.person = $1`,
      [session.user.id],
    );
    return rows.some((row) => row.visible_ms > 0 && row.page_views >= pages) && rows;
  });

test("the example page of the embed helper's guide reports one view, through several tokens", async () => {
  await session.openReport();
  const opened = Date.now();
  await until(() => session.statuses.length >= 3);
  const visible = Date.now() - opened;
  await session.page.goto('about:blank');
  const views = await reportedViews(2);
  expect(views).toMatchObject([{ report_id: fixture.revenue.id, page_views: 2 }]);
  const [{ pages, render_ms, visible_ms }] = views as [Row];
  expect(pages.toSorted()).toEqual(['ReportSection', 'ReportSection1']);
  expect(render_ms).toBeGreaterThan(0);
  expect(visible_ms).toBeGreaterThanOrEqual(visible);
  const tokens = await fixture.embedding.service.database.query<object[]>(
    'SELECT grant_id FROM usage_tokens',
  );
  expect(tokens.length).toBeGreaterThan(1);
});

test('the page of docs/usage.md reports its view', async () => {
  await session.open('recipe');
  await session.page.goto('about:blank');
  expect(await reportedViews(1)).toMatchObject([
    { report_id: fixture.revenue.id, page_views: 1, pages: ['ReportSection'] },
  ]);
});
