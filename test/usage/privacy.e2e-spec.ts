import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import { addDays } from '../../src/usage/period.js';
import { UsageRetentionService } from '../../src/usage/usage-retention.service.js';
import type { User } from '../../src/users/user.entity.js';
import { vitrine } from '../support/cli.js';
import { lockRows } from '../support/row-lock.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { differences, plant, rollUp } from './figures.js';
import { issue, opening, send } from './usage-api.js';

let service: Service;
let report: Report;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  // The job of the start removes old views.
  await service.waitForJobs();
  report = await service.factory.report(await service.factory.workspace({ name: 'Sales' }));
});
afterAll(() => service.close());

async function openAs(user: User, on = service, of = report): Promise<void> {
  const token = await issue(on, user, of);
  const { body } = await send(await on.as(user), opening({ token, at: on.clock.now(), pages: ['a', 'b'] }));
  expect(body).toEqual({ accepted: 6, rejected: [] });
}

async function usageOf(user: User, of = service): Promise<object[]> {
  const { body } = await (
    await of.asAdmin()
  ).get<{ data?: { report_views: object[] } }>(`/api/users/${user.id}/export`);
  return body.data?.report_views ?? [];
}

/** Every value in every table of usage, as text. */
async function storedText({ database }: Service): Promise<string> {
  const tables = await database.query<{ name: string }[]>(
    `SELECT c.relname AS name FROM pg_class c WHERE relkind = 'r' AND relname LIKE 'usage\\_%' AND relnamespace = 'public'::regnamespace`,
  );
  expect(tables.length).toBeGreaterThan(10);
  const texts = await Promise.all(
    tables.map(({ name }) => database.query(`SELECT string_agg(t::text, ' ') AS text FROM ${name} t`)),
  );
  return JSON.stringify(texts);
}

describe('a person', () => {
  test('has all of their views, without those of others', async () => {
    const [ada, ben] = [await service.factory.user(), await service.factory.user()];
    await openAs(ada);
    await openAs(ada);
    await openAs(ben);
    expect(await usageOf(ada)).toMatchObject([
      { report_id: report.id, page_views: 2, visible_ms: 60_000, pages: ['a', 'b'] },
      { report_id: report.id, page_views: 2 },
    ]);
    expect(await usageOf(await service.factory.user())).toEqual([]);
  });

  test('who is erased leaves no view that was being recorded meanwhile', async () => {
    const { database, factory } = service;
    const admin = await service.asAdmin();
    const ada = await factory.user();
    const token = await issue(service, ada, report);
    const api = await service.as(ada);
    const events = opening({ token, at: service.clock.now() });
    await send(api, events);
    const [{ number }] = await database.query('SELECT number FROM usage_people WHERE person = $1', [ada.id]);
    const lock =
      'SELECT FROM usage_tokens WHERE grant_id IN (SELECT id FROM issued_tokens WHERE token_id = $1) FOR UPDATE';
    const { waiting, release } = await lockRows(service.databaseUrl, lock, [token]);
    try {
      const recorded = send(api, opening({ token, at: service.clock.now() }));
      await until(async () => (await waiting()) > 0);
      await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
      let isErased = false;
      const erased = admin.post(`/api/users/${ada.id}/erase`).finally(() => {
        isErased = true;
      });
      await until(async () => isErased || (await waiting()) > 1);
      await release();
      expect([(await recorded).status, (await erased).status]).toEqual([202, 204]);
    } finally {
      await release();
    }
    expect(await database.query('SELECT FROM usage_views WHERE person = $1', [number])).toEqual([]);
  });

  test('has a row for each number in views', async () => {
    await openAs(await service.factory.user());
    await expect(
      service.database.query('UPDATE usage_views SET person = (SELECT max(number) + 1 FROM usage_people)'),
    ).rejects.toThrow('usage_views_person_fkey');
  });
});

describe('the schema reporting', () => {
  test('is granted again by deploy/sql/reporting.sql, as after a restore', async () => {
    const sql = readFileSync('deploy/sql/reporting.sql', 'utf8').replaceAll(/^\\.*$/gm, '');
    const { database } = service;
    await database.query('REVOKE ALL ON ALL TABLES IN SCHEMA reporting FROM vitrine_reporting');
    await database.query(sql);
    const [{ may }] = await database.query(
      `SELECT has_table_privilege('vitrine_reporting', 'reporting.report_days', 'SELECT') AS may`,
    );
    expect(may).toBe(true);
  });

  test('shows figures to vitrine_reporting, and nothing else', async () => {
    await openAs(await service.factory.user());
    await rollUp(service);
    const runner = service.database.createQueryRunner();
    try {
      await runner.query('BEGIN; SET LOCAL ROLE vitrine_reporting');
      const [{ views }] = await runner.query('SELECT sum(views)::int AS views FROM reporting.report_days');
      expect(views).toBeGreaterThan(0);
      for (const view of ['workspace_days', 'report_months', 'active_people', 'reports'])
        expect((await runner.query(`SELECT * FROM reporting.${view}`)).length).toBeGreaterThan(0);
      for (const statement of [
        'SELECT FROM usage_views',
        'SELECT FROM usage_people',
        'SELECT FROM users',
        'DELETE FROM reporting.report_months',
      ]) {
        await runner.query('SAVEPOINT before');
        await expect(runner.query(statement)).rejects.toThrow('permission denied');
        await runner.query('ROLLBACK TO before');
      }
    } finally {
      await runner.query('ROLLBACK');
      await runner.release();
    }
    const columns = await service.database.query(
      `SELECT column_name FROM information_schema.columns WHERE table_schema = 'reporting' AND column_name ~ 'person|people|user'`,
    );
    expect(columns).toEqual([]);
  });
});

describe('vitrine usage export', () => {
  test('prints the figures of each report and day', async () => {
    // The period is given, because the command uses the clock of the system.
    const today = new Date().toISOString().slice(0, 10);
    const day = addDays(today, -1);
    await plant(service, [{ report, person: randomUUID(), at: `${day}T12:00:00Z` }]);
    const command = ['usage', 'export', '--from', day, '--to', today];
    const { code, stdout } = await vitrine(service.environment, command);
    expect(code).toBe(0);
    const [header, ...lines] = stdout.trim().split(/\r?\n/);
    expect(header).toBe(
      'day,report_id,report_name,workspace_id,workspace_name,views,issued_views,page_views,failures,seconds,viewers',
    );
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(`${day},${report.id},`);
    expect(lines[0]).toContain(`,${report.workspaceId},Sales,`);
    const json = await vitrine(service.environment, [...command, '--format', 'ndjson']);
    expect(JSON.parse(json.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ report_id: report.id });
    const wrong = await vitrine(service.environment, ['usage', 'export', '--from', 'yesterday']);
    expect([wrong.code, wrong.stderr]).toEqual([expect.any(Number), expect.stringContaining('from')]);
    expect(wrong.code).not.toBe(0);
  });
});

// Each of the following starts a service of its own, which replaces the sign-in strategy of this process.
describe('a person', () => {
  test.each(['named', 'pseudonymous'])('who is erased leaves nothing (%s)', async (mode) => {
    const other = await startService({ USAGE_PEOPLE: mode });
    try {
      const [ada, ben] = [await other.factory.user(), await other.factory.user()];
      const own = await other.factory.report(await other.factory.workspace());
      await openAs(ada, other, own);
      await openAs(ben, other, own);
      await rollUp(other);
      const number = await other.database.query('SELECT count(*)::int AS count FROM usage_people');
      expect(number).toEqual([{ count: 2 }]);
      expect(await usageOf(ada, other)).toHaveLength(1);
      const admin = await other.asAdmin();
      await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
      expect((await admin.post(`/api/users/${ada.id}/erase`)).status).toBe(204);
      expect(await usageOf(ada, other)).toEqual([]);
      expect(await storedText(other)).not.toContain(ada.id);
      await rollUp(other);
      expect(await differences(other)).toEqual([]);
      const [{ views }] = await other.database.query('SELECT sum(views)::int AS views FROM usage_report_day');
      expect(views).toBe(1);
      expect(await usageOf(ben, other)).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('retention', () => {
  test('removes views, people and keys after USAGE_RAW_DAYS, figures after USAGE_ROLLUP_MONTHS', async () => {
    const other = await startService({
      USAGE_PEOPLE: 'pseudonymous',
      USAGE_RAW_DAYS: '40',
      USAGE_ROLLUP_MONTHS: '3',
    });
    try {
      await other.waitForJobs();
      const own = await other.factory.report(await other.factory.workspace());
      const user = await other.factory.user();
      await openAs(user, other, own);
      await rollUp(other);
      const counts = async () => {
        const [row] = await other.database.query(
          `SELECT (SELECT count(*)::int FROM usage_views) AS views, (SELECT count(*)::int FROM usage_people) AS people,
             (SELECT count(*)::int FROM usage_month_keys) AS keys,
             (SELECT count(*)::int FROM usage_report_day WHERE people IS NOT NULL) AS arrays,
             (SELECT count(*)::int FROM usage_report_day) AS days`,
        );
        return row as object;
      };
      const maintain = () => other.app.get(UsageRetentionService).maintain();
      await maintain();
      const all = { views: 1, people: 1, keys: 1, arrays: 1, days: 1 };
      expect(await counts()).toEqual(all);
      other.clock.advance(72 * 86_400);
      await maintain();
      expect(await counts()).toEqual({ views: 0, people: 0, keys: 0, arrays: 0, days: 1 });
      const admin = await other.asAdmin();
      const { body } = await admin.get('/api/usage/overview?days=80');
      expect(body).toMatchObject({ views: 1, viewers: null });
      const seen = await admin.get<{ buckets: { viewers: number }[] }>(
        `/api/usage/reports/${own.id}?days=80`,
      );
      expect(Math.max(...seen.body.buckets.map(({ viewers }) => viewers))).toBe(1);
      other.clock.advance(60 * 86_400);
      await maintain();
      expect(await counts()).toMatchObject({ days: 0 });
    } finally {
      await other.close();
    }
  });

  test('people are shown from the first day that has all of them', async () => {
    const other = await startService({ USAGE_RAW_DAYS: '40' });
    other.clock.leaveEndOfDayAndHour();
    try {
      await other.waitForJobs();
      const own = await other.factory.report(await other.factory.workspace());
      const user = await other.factory.user();
      const group = await other.factory.group({}, [user]);
      await openAs(user, other, own);
      const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
      const first = other.clock.now().getTime();
      await rollUp(other);
      other.clock.advance(72 * 86_400);
      await other.app.get(UsageRetentionService).maintain();
      await openAs(user, other, own);
      await rollUp(other);
      const admin = await other.asAdmin();
      const read = async (path: string) => (await admin.get(`/api/usage/${path}`)).body;
      const from = `${dayOf(other.clock.now().getTime() - 40 * 86_400_000).slice(0, 7)}-01`;
      expect(await read(`reports/${own.id}?days=80`)).toMatchObject({
        views: 2,
        people: [{ user_id: user.id, views: 1 }],
        people_from: from,
      });
      const past = `from=${dayOf(first)}&to=${dayOf(first + 86_400_000)}`;
      const expected = { views: 1, people: null, people_from: from };
      expect(await read(`reports/${own.id}?${past}`)).toMatchObject(expected);
      expect(await read(`reports/${own.id}?days=30`)).toMatchObject({ people_from: null });
      expect(await read(`groups/${group.id}?days=80`)).toMatchObject({ people_from: from });
      expect(await read(`groups/${group.id}?days=30`)).toMatchObject({ people_from: null });
    } finally {
      await other.close();
    }
  });

  test.each([
    ['America/Sao_Paulo', '01'],
    // The first day of the month contains the end of the last day in UTC, whose views are removed.
    ['Pacific/Auckland', '02'],
  ])(
    'people of a report are those since people_from (%s: day %s of the first kept month)',
    async (zone, day) => {
      const other = await startService({ USAGE_TIME_ZONE: zone, USAGE_RAW_DAYS: '40' });
      try {
        await other.waitForJobs();
        const own = await other.factory.report(await other.factory.workspace());
        const { id } = await other.factory.user();
        const kept = new Date(other.clock.now().getTime() - 40 * 86_400_000);
        kept.setUTCDate(1);
        kept.setUTCHours(0, 0, 0, 0);
        const at = (hours: number) => new Date(kept.getTime() + hours * 3_600_000).toISOString();
        await plant(other, [
          { report: own, person: id, at: at(1) },
          { report: own, person: id, at: at(26) },
        ]);
        await rollUp(other);
        const admin = await other.asAdmin();
        const read = (path: string) => admin.get(`/api/usage/${path}`);
        const dayOf = (hours: number) => at(hours).slice(0, 10);
        const from = `${dayOf(0).slice(0, 7)}-${day}`;
        const people = [{ user_id: id, views: 1 }];
        expect((await read(`reports/${own.id}?from=${dayOf(-48)}&to=${dayOf(72)}`)).body).toMatchObject({
          views: 2,
          people,
          people_from: from,
        });
        const first = `from=${from}&to=${dayOf(72)}`;
        expect((await read(`reports/${own.id}?${first}`)).body).toMatchObject({ people, people_from: null });
        expect(await read(`people/${id}?${first}`)).toMatchObject({ status: 200, body: { views: 1 } });
        expect(await read(`people/${id}?from=${dayOf(-48)}&to=${from}`)).toMatchObject({ status: 400 });
      } finally {
        await other.close();
      }
    },
  );

  test('a day keeps its number of viewers without their people, also if the only admin was a member before', async () => {
    const other = await startService({ USAGE_RAW_DAYS: '40' });
    other.clock.leaveEndOfDayAndHour();
    try {
      await other.waitForJobs();
      const report = await other.factory.report(await other.factory.workspace());
      const { id: person } = await other.factory.user();
      const at = new Date(other.clock.now().getTime() - 100 * 86_400_000).toISOString();
      await plant(other, [
        { report, person, at },
        { report, person, at, byAdmin: true },
      ]);
      await rollUp(other);
      await other.app.get(UsageRetentionService).maintain();
      const day = at.slice(0, 10);
      const period = `from=${day}&to=${addDays(day, 1)}`;
      const { body } = await (await other.asAdmin()).get(`/api/usage/overview?${period}`);
      expect(body).toMatchObject({ views: 2, viewers: 1 });
    } finally {
      await other.close();
    }
  });

  test('a period is not compared with days whose figures were removed', async () => {
    const other = await startService({ USAGE_RAW_DAYS: '40', USAGE_ROLLUP_MONTHS: '3' });
    other.clock.leaveEndOfDayAndHour();
    try {
      await other.waitForJobs();
      const own = await other.factory.report(await other.factory.workspace());
      const { id } = await other.factory.user();
      const now = other.clock.now().getTime();
      const daily = Array.from({ length: 80 }, (_, age) => ({
        report: own,
        person: id,
        at: new Date(now - age * 86_400_000).toISOString(),
      }));
      await plant(other, daily);
      await rollUp(other);
      await other.app.get(UsageRetentionService).maintain();
      const admin = await other.asAdmin();
      const read = async (path: string) => (await admin.get(`/api/usage/${path}`)).body;
      const unknown = { views: null, viewers: null, seconds: null, failures: null };
      expect(await read('overview?days=65')).toMatchObject({ views: 65, previous: unknown });
      expect(await read('overview?days=30')).toMatchObject({ views: 30, previous: { views: 30 } });
      expect(await read('reports?days=65')).toMatchObject({ reports: [{ views: 65, previous_views: null }] });
      expect(await read('reports?days=30')).toMatchObject({ reports: [{ views: 30, previous_views: 30 }] });
      expect(await read('workspaces?days=65')).toMatchObject({
        workspaces: [{ views: 65, previous_views: null }],
      });
    } finally {
      await other.close();
    }
  });

  test.each(['America/Sao_Paulo', 'Pacific/Auckland'])(
    'an erasure does not change days and weeks that lost views (%s)',
    async (zone) => {
      const other = await startService({ USAGE_TIME_ZONE: zone, USAGE_RAW_DAYS: '40' });
      try {
        await other.waitForJobs();
        const own = await other.factory.report(await other.factory.workspace());
        const [ada, ben] = [await other.factory.user(), await other.factory.user()];
        const kept = new Date(other.clock.now().getTime() - 40 * 86_400_000);
        kept.setUTCDate(1);
        kept.setUTCHours(0, 0, 0, 0);
        const at = (hours: number) => new Date(kept.getTime() + hours * 3_600_000).toISOString();
        await plant(other, [
          { report: own, person: ada.id, at: at(1) },
          { report: own, person: ben.id, at: at(-1) },
          { report: own, person: ben.id, at: at(-26) },
          { report: own, person: ada.id, at: at(26) },
          { report: own, person: ben.id, at: at(26) },
        ]);
        await rollUp(other);
        const stored = async () => ({
          days: await other.database.query(
            `SELECT day::text, views, viewers FROM usage_report_day WHERE views > 0 ORDER BY day`,
          ),
          people: await other.database.query(
            `SELECT period, start::text, viewers FROM usage_active_people WHERE NOT by_admin AND viewers > 0
               AND start <= ($1::timestamptz AT TIME ZONE $2)::date ORDER BY period, start`,
            [new Date(kept.getTime() - 1), zone],
          ),
          months: await other.database.query(
            `SELECT month::text, sum(views)::int AS views FROM usage_report_month GROUP BY month ORDER BY month`,
          ),
        });
        const before = await stored();
        await other.app.get(UsageRetentionService).maintain();
        const [{ left }] = await other.database.query('SELECT count(*)::int AS left FROM usage_views');
        expect(left).toBe(3);
        const admin = await other.asAdmin();
        await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
        expect((await admin.post(`/api/users/${ada.id}/erase`)).status).toBe(204);
        await rollUp(other);
        const after = await stored();
        expect(after.people).toEqual(before.people);
        const last = before.days.at(-1) as { day: string; views: number; viewers: number };
        expect(last).toMatchObject({ views: 2, viewers: 2 });
        expect(after.days).toEqual([...before.days.slice(0, -1), { ...last, views: 1, viewers: 1 }]);
        const views = (months: { views: number }[]) => months.reduce((sum, month) => sum + month.views, 0);
        expect([views(before.months), views(after.months)]).toEqual([5, 4]);
      } finally {
        await other.close();
      }
    },
  );

  test('drops whole months, and creates the next ones', async () => {
    const months = async () =>
      (
        await service.database.query<{ name: string }[]>(
          `SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'usage_views'::regclass ORDER BY 1`,
        )
      ).map(({ name }) => name);
    await plant(service, [{ report, person: randomUUID(), at: '2020-05-05T05:05:00Z' }]);
    await service.database.query('SELECT usage_views_prepare_partitions(2)');
    expect(await months()).toContain('usage_views_202005');
    const kept = await service.database.query<{ name: string }[]>(
      `SELECT to_char(now() AT TIME ZONE 'UTC' + make_interval(months => ahead), '"usage_views_"YYYYMM') AS name
       FROM generate_series(0, 2) ahead`,
    );
    await service.app.get(UsageRetentionService).maintain();
    const left = await months();
    expect(left).not.toContain('usage_views_202005');
    expect(left).toEqual(expect.arrayContaining(kept.map(({ name }) => name)));
  });
});
