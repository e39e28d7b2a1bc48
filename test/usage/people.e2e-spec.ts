import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { differences, plant, type Planted, rollUp } from './figures.js';

const DAY_MS = 86_400_000;
const DAYS = 80;
/** The first numbers of groups of 40 people. Of 40 days, 30 have the people of one group, and most reports then a bit string. */
const NUMBERS = [1, 9_000, 70_000];

/** Repeatable numbers from 0 to 1 (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

let service: Service;
let admin: Client;
let reports: Report[];
const random = randomFrom(20_261_123);
const below = (limit: number): number => Math.floor(random() * limit);
const dayBefore = (days: number): string =>
  new Date(service.clock.now().getTime() - days * DAY_MS).toISOString().slice(0, 10);

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  // The job of the start removes old views.
  await service.waitForJobs();
  admin = await service.asAdmin();
  const workspaces = [await service.factory.workspace(), await service.factory.workspace()];
  reports = await Promise.all(
    workspaces.flatMap((each) => [each, each, each]).map((each) => service.factory.report(each)),
  );
  const groups = NUMBERS.map(() => Array.from({ length: 40 }, () => randomUUID()));
  const dayOfGroup = (group: number): number => {
    const day = below(DAYS);
    const turn = Math.floor(day / 10) % 4;
    return turn === 3 || turn === group ? day : dayOfGroup(group);
  };
  const view = (person: string, group: number): Planted => ({
    report: reports[Math.floor(6 * random() ** 2)] as Report,
    person,
    at: new Date(service.clock.now().getTime() - (dayOfGroup(group) + random()) * DAY_MS).toISOString(),
    byAdmin: random() < 0.2,
    seconds: below(300),
    pages: Array.from({ length: below(3) }, (_, page) => `page ${page}`),
    errors: random() < 0.1 ? ['TokenExpired'] : [],
  });
  for (const [index, people] of groups.entries()) {
    await service.database.query(
      `ALTER TABLE usage_people ALTER COLUMN number RESTART WITH ${NUMBERS[index]}`,
    );
    const anyone = () => people[below(people.length)] as string;
    await plant(
      service,
      Array.from({ length: 1500 }, () => view(anyone(), index)),
    );
  }
  await rollUp(service);
});
afterAll(() => service.close());

interface Counted {
  views: number;
  viewers: number;
  seconds: number;
  page_views: number;
  failures: number;
}

/** From single views, as simply as possible. */
async function countViews(condition: string, values: unknown[]): Promise<(Counted & { id: string })[]> {
  return service.database.query(
    `SELECT report_id AS id, count(*)::int AS views, count(DISTINCT person)::int AS viewers,
       (sum(visible_ms) / 1000)::int AS seconds, sum(page_views)::int AS page_views, sum(failures)::int AS failures
     FROM usage_views WHERE ${condition} GROUP BY GROUPING SETS ((report_id), ())`,
    values,
  );
}

const fields = ({ views, viewers, seconds, page_views, failures }: Counted): Counted => ({
  views,
  viewers,
  seconds,
  page_views,
  failures,
});

async function get<T>(path: string): Promise<T> {
  const { status, body } = await admin.get<T>(`/api/usage/${path}`);
  expect([path, status]).toEqual([path, 200]);
  return body;
}

describe('figures of random views', () => {
  test('are stored with bit strings and without', async () => {
    const [{ dense, sparse }] = await service.database.query(
      `SELECT count(people_bits)::int AS dense, count(*) FILTER (WHERE people_bits IS NULL AND viewers > 0)::int AS sparse
       FROM usage_report_day`,
    );
    expect(dense).toBeGreaterThan(50);
    expect(sparse).toBeGreaterThan(100);
    expect(await differences(service)).toEqual([]);
  });

  test('of any period equal a naive count', async () => {
    for (let round = 0; round < 40; round += 1) {
      const first = 1 + below(DAYS - 1);
      const [from, to] = [dayBefore(first), dayBefore(below(first))];
      const excludes = random() < 0.5;
      const query = `from=${from}&to=${to}&exclude_admins=${excludes}`;
      const condition = `started_at >= $1::date AND started_at < $2::date AND NOT (by_admin AND $3)`;
      const expected = await countViews(condition, [from, to, excludes]);
      const listed = await get<{ reports: (Counted & { report_id: string })[] }>(`reports?${query}`);
      expect([query, new Map(listed.reports.map((row) => [row.report_id, fields(row)]))]).toEqual([
        query,
        new Map(expected.filter(({ id }) => id !== null).map((row) => [row.id, fields(row)])),
      ]);
      const report = reports[0] as Report;
      const one = expected.find(({ id }) => id === report.id);
      expect(await get(`reports/${report.id}?${query}&bucket=week`)).toMatchObject(one ? fields(one) : {});
      const own = `${condition} AND workspace_id = $4`;
      const inWorkspace = await countViews(own, [from, to, excludes, report.workspaceId]);
      const total = inWorkspace.find(({ id }) => id === null) as Counted;
      expect(await get(`workspaces/${report.workspaceId}?${query}`)).toMatchObject({
        views: total.views,
        viewers: total.viewers,
      });
    }
  });

  test('by week equal a naive count', async () => {
    const report = reports[0] as Report;
    const from = dayBefore(DAYS);
    const { buckets } = await get<{ buckets: { start: string; viewers: number; views: number }[] }>(
      `reports/${report.id}?from=${from}&bucket=week`,
    );
    const expected = await service.database.query<{ start: string; viewers: number; views: number }[]>(
      `SELECT date_trunc('week', started_at AT TIME ZONE 'UTC')::date::text AS start, count(*)::int AS views,
         count(DISTINCT person)::int AS viewers
       FROM usage_views WHERE report_id = $1 AND started_at >= $2::date GROUP BY 1 ORDER BY 1`,
      [report.id, from],
    );
    expect(
      buckets
        // This week may have none yet.
        .filter(({ views }) => views > 0)
        .map(({ start, views, viewers }) => ({ start: start.slice(0, 10), views, viewers })),
    ).toEqual(expected);
  });
});
