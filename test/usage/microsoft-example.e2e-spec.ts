import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import { type Service, startService } from '../support/service.js';
import { rollUp } from './figures.js';
import { issue, opening, send } from './usage-api.js';

/**
 * "Worked example of view and viewer metrics" in Microsoft's documentation of Power BI, "Monitor usage metrics in the workspaces"
 * (https://learn.microsoft.com/power-bi/collaborate-share/service-modern-usage-metrics): four reports, three people, and the pages
 * that each opening shows. The definitions of views, page views and viewers are the same, so the figures are, too.
 */
const accessPatterns: { report: string; openings: [user: string, pages: number[]][] }[] = [
  { report: 'KPI', openings: [['A', [1]]] },
  { report: 'HR', openings: [['A', [1, 2, 3, 4, 1]]] },
  {
    report: 'Finance',
    openings: [
      ['A', [1, 2]],
      ['B', [1]],
      ['C', [1, 3]],
    ],
  },
  {
    report: 'Sales',
    openings: [
      ['A', [1, 2]],
      ['C', [2]],
      ['C', [1]],
    ],
  },
];
const expected = [
  { name: 'Finance', views: 3, page_views: 5, viewers: 3 },
  { name: 'HR', views: 1, page_views: 5, viewers: 1 },
  { name: 'KPI', views: 1, page_views: 1, viewers: 1 },
  { name: 'Sales', views: 3, page_views: 4, viewers: 2 },
];

let service: Service;
const reports = new Map<string, Report>();

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const workspace = await service.factory.workspace();
  const users = new Map(
    await Promise.all(['A', 'B', 'C'].map(async (name) => [name, await service.factory.user()] as const)),
  );
  for (const { report: name, openings } of accessPatterns) {
    const report = await service.factory.report(workspace, { name });
    reports.set(name, report);
    for (const [letter, pages] of openings) {
      const user = users.get(letter) as NonNullable<ReturnType<typeof users.get>>;
      const token = await issue(service, user, report);
      const names = pages.map((page) => `page ${page}`);
      const events = opening({ token, at: service.clock.now(), pages: names });
      expect((await send(await service.as(user), events)).body.rejected).toEqual([]);
    }
  }
  await rollUp(service);
});
afterAll(() => service.close());

test("the figures are those of Microsoft's worked example", async () => {
  const admin = await service.asAdmin();
  const { body } = await admin.get<{ reports: object[] }>('/api/usage/reports?sort=name');
  expect(body.reports).toMatchObject(expected);
  expect(body.reports).toHaveLength(expected.length);
  for (const figures of expected) {
    const { id } = reports.get(figures.name) as Report;
    expect((await admin.get(`/api/usage/reports/${id}`)).body).toMatchObject(figures);
  }
  expect((await admin.get('/api/usage/overview')).body).toMatchObject({
    views: 8,
    issued_views: 8,
    page_views: 15,
    viewers: 3,
  });
});
