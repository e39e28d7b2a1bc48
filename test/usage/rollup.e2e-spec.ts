import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { missingTimeZone } from '../../src/core/database/server-settings.js';
import { IssuedTokensService } from '../../src/embed/issued-tokens.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import { type InProcessReplica, startInProcessReplica, startReplicaProcess } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { explainingConnection, planNodes, Statements } from '../support/statements.js';
import { lockTable } from '../support/table-lock.js';
import { until } from '../support/until.js';
import { differences, plant, type Planted, rollUp } from './figures.js';
import { issue, opening, send } from './usage-api.js';

const people = Array.from({ length: 12 }, () => randomUUID());

/** Views of 12 people and all reports in the days before `now`, also by admins. */
function views(reports: readonly Report[], now: Date, count = 400): Planted[] {
  return Array.from({ length: count }, (_, index) => ({
    report: reports[(index * index) % reports.length] as Report,
    person: people[(index * 7) % 12] as string,
    at: new Date(now.getTime() - (index % 89) * 3_777_777).toISOString(),
    byAdmin: index % 5 === 0,
    pages: Array.from({ length: index % 4 }, (_page, page) => `page ${page}`),
    errors: index % 9 === 0 ? ['TokenExpired'] : [],
    seconds: index % 300,
    render: index % 3 === 0 ? null : 50 * (index % 90),
  }));
}

/** Rolls up nothing while it runs: it holds the lock of a rollup. Each start of a replica sends one. */
async function cleanupsOf({ database }: Service): Promise<number> {
  const [{ count }] = await database.query(
    `SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'usage_cleanup' AND state = 'completed'`,
  );
  return count as number;
}

const byReport = (a: { report_id: string }, b: { report_id: string }): number =>
  a.report_id < b.report_id ? -1 : 1;

async function reportsIn(service: Service): Promise<Report[]> {
  const workspaces = [await service.factory.workspace(), await service.factory.workspace()];
  return Promise.all(
    workspaces.flatMap((each) => [each, each, each]).map((each) => service.factory.report(each)),
  );
}

describe('usage figures', () => {
  let service: Service;
  let replica: InProcessReplica;
  let third: InProcessReplica;
  let reports: Report[];

  beforeAll(async () => {
    service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
    replica = await startInProcessReplica(service);
    third = await startInProcessReplica(service);
    reports = await reportsIn(service);
  });
  afterAll(async () => {
    await third.close();
    await replica.close();
    await service.close();
  });

  test('are the sums of the views after concurrent rollups on two replicas', async () => {
    const batches = Array.from({ length: 5 }, () => plant(service, views(reports, service.clock.now(), 80)));
    const rollups = Array.from({ length: 5 }, () => [rollUp(service), rollUp(replica)]).flat();
    await Promise.all([...batches, ...rollups]);
    await until(async () => {
      await rollUp(service);
      const [{ left }] = await service.database.query('SELECT count(*)::int AS left FROM usage_changes');
      return left === 0;
    });
    expect(await differences(service)).toEqual([]);
    const [{ count }] = await service.database.query('SELECT sum(views)::int AS count FROM usage_report_day');
    expect(count).toBe(400);
  });

  test('are computed once by three instances', async () => {
    const { database } = service;
    await service.waitForJobs();
    await database.query(
      `CREATE TABLE computed (report_id uuid, by_admin boolean);
       CREATE FUNCTION note_computed() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN INSERT INTO computed VALUES (new.report_id, new.by_admin); RETURN NULL; END $$;
       CREATE TRIGGER computed AFTER INSERT OR UPDATE ON usage_report_day FOR EACH ROW EXECUTE FUNCTION note_computed()`,
    );
    const lock = await lockTable(service.databaseUrl, 'usage_workspace_day');
    try {
      const at = service.clock.now().toISOString();
      await plant(
        service,
        reports.map((report) => ({ report, person: randomUUID(), at })),
      );
      const rollups = [service, replica, third].map((each) => rollUp(each));
      await lock.blocks('WITH touched');
      await lock.release();
      await Promise.all(rollups);
      const computed = await database.query(
        `SELECT report_id, count(*)::int AS times FROM computed WHERE NOT by_admin GROUP BY report_id ORDER BY report_id`,
      );
      expect(computed).toEqual(reports.map(({ id }) => ({ report_id: id, times: 1 })).toSorted(byReport));
      expect(await differences(service)).toEqual([]);
    } finally {
      await lock.release();
      await database.query(
        'DROP TRIGGER computed ON usage_report_day; DROP FUNCTION note_computed; DROP TABLE computed',
      );
    }
  });

  test('are the sums of the views while the clock moves forward and back', async () => {
    const user = await service.factory.user();
    const report = reports[0] as Report;
    const steps = [0, 2 * 86_400, -86_400, 3 * 3600, -2 * 86_400, 86_400 - 3 * 3600];
    for (const step of steps) {
      service.clock.advance(step);
      const api = await service.as(user);
      const sent = Promise.all(
        Array.from({ length: 5 }, async () => {
          const at = service.clock.now();
          const token = await issue(service, user, report, { at });
          const response = await send(api, opening({ token, at }));
          expect(response.status).toBe(202);
          return response.body;
        }),
      );
      const rollups = [rollUp(service), rollUp(replica)];
      const jump = 120;
      service.clock.advance(jump);
      expect((await sent).flatMap(({ rejected }) => rejected)).toEqual([]);
      await Promise.all(rollups);
      service.clock.advance(-jump);
    }
    await rollUp(service);
    expect(await differences(service)).toEqual([]);
    const [{ count }] = await service.database.query(
      `SELECT count(*)::int AS count FROM usage_views
       WHERE person = (SELECT number FROM usage_people WHERE person = $1)`,
      [user.id],
    );
    expect(count).toBe(5 * steps.length);
  });

  test('include late events of a day that was rolled up', async () => {
    const user = await service.factory.user();
    const at = new Date(service.clock.now().getTime() - 30 * 3_600_000);
    const token = await issue(service, user, reports[0] as Report, { at });
    const { body } = await send(await service.as(user), opening({ token, at }));
    expect(body).toEqual({ accepted: 5, rejected: [] });
    await rollUp(service);
    expect(await differences(service)).toEqual([]);
  });

  test('count a person of a week once who viewed as an admin first and as a member later', async () => {
    const monday = new Date(service.clock.now().getTime() - 14 * 86_400_000);
    monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7));
    const view = { report: reports[0] as Report, person: randomUUID() };
    await plant(service, [{ ...view, at: monday.toISOString(), byAdmin: true }]);
    await rollUp(service);
    const tuesday = new Date(monday.getTime() + 86_400_000);
    await plant(service, [{ ...view, at: tuesday.toISOString() }]);
    await rollUp(service);
    expect(await differences(service)).toEqual([]);
  });

  test('are complete after a replica is killed during a rollup', async () => {
    const { token } = await service.asAdmin();
    await service.waitForJobs();
    const cleanups = await cleanupsOf(service);
    const killed = await startReplicaProcess(service.environment);
    await until(async () => (await cleanupsOf(service)) > cleanups);
    const lock = await lockTable(service.databaseUrl, 'usage_workspace_day');
    try {
      await plant(service, views(reports, service.clock.now(), 50));
      const state = { isBlocked: false };
      const blocked = lock.blocks('WITH touched').finally(() => (state.isBlocked = true));
      // A read rolls up first, if no other replica does.
      const url = `${killed.url}/api/usage/reports/${reports[0]?.id}`;
      while (!state.isBlocked) await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      await blocked;
    } finally {
      killed.process.kill('SIGKILL');
      await killed.close();
      await lock.release();
    }
    await until(async () => {
      await rollUp(service);
      return (await differences(service)).length === 0;
    });
  });

  test('count each acknowledged event once after a replica is killed during ingest', async () => {
    const user = await service.factory.user();
    const api = await service.as(user);
    const killed = await startReplicaProcess(service.environment);
    const tokens = await Promise.all(reports.map((report) => issue(service, user, report)));
    const batches = Array.from({ length: 300 }, (_, index) =>
      opening({ token: tokens[index % tokens.length] as string, at: service.clock.now(), pages: ['a', 'b'] }),
    );
    const acknowledged = new Set<number>();
    const headers = { authorization: `Bearer ${api.token}`, 'content-type': 'application/json' };
    const left = batches.entries();
    const sendNext = async (): Promise<void> => {
      for (const [index, events] of left) {
        const response = await fetch(`${killed.url}/api/usage/events`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ events }),
        });
        if (response.status === 202) acknowledged.add(index);
        if (acknowledged.size === 40) killed.process.kill('SIGKILL');
      }
    };
    // Until the connection is refused.
    await Promise.allSettled(Array.from({ length: 32 }, sendNext));
    await killed.close();
    expect(acknowledged.size).toBeGreaterThanOrEqual(40);
    expect(acknowledged.size).toBeLessThan(300);
    const counted = async () => {
      const [row] = await service.database.query(
        `SELECT count(*)::int AS views, coalesce(sum(page_views), 0)::int AS pages FROM usage_views
         WHERE person = (SELECT number FROM usage_people WHERE person = $1)`,
        [user.id],
      );
      return row as { views: number; pages: number };
    };
    expect((await counted()).views).toBeGreaterThanOrEqual(acknowledged.size);
    // The client repeats everything, as it does after a failure.
    for (const events of batches)
      expect(await send(api, events)).toMatchObject({ status: 202, body: { rejected: [] } });
    expect(await counted()).toEqual({ views: 300, pages: 600 });
    await rollUp(service);
    expect(await differences(service)).toEqual([]);
  });
});

test('figures include the tokens that were issued while no rollup succeeded for days', async () => {
  const service = await startService();
  try {
    const user = await service.factory.user();
    const report = await service.factory.report(await service.factory.workspace());
    const issued = async (): Promise<number> => {
      const [row] = await service.database.query(
        'SELECT sum(issued_views)::int AS issued FROM usage_report_day WHERE report_id = $1',
        [report.id],
      );
      return (row as { issued: number }).issued;
    };
    await service.waitForJobs();
    await issue(service, user, report, { timesIssued: 1 });
    await rollUp(service);
    expect(await issued()).toBe(1);
    // After the last rollup of this day, and before a pause of three days.
    await issue(service, user, report, { timesIssued: 4 });
    service.clock.advance(3 * 86_400);
    await issue(service, user, report, { timesIssued: 2 });
    await rollUp(service);
    expect(await issued()).toBe(1 + 4 + 2);
  } finally {
    await service.close();
  }
});

describe('days in USAGE_TIME_ZONE', () => {
  test('need a time zone that PostgreSQL has, too', async () => {
    const service = await startService();
    try {
      const missing = await missingTimeZone(service.database, 'US/Pacific-New');
      expect(missing?.detail).toContain('PostgreSQL has no time zone US/Pacific-New (USAGE_TIME_ZONE)');
      expect(await missingTimeZone(service.database, 'Europe/Berlin')).toBeUndefined();
    } finally {
      await service.close();
    }
  });

  test.each([
    // Clocks change at 01:00 UTC: the days have 23 and 25 hours.
    ['Europe/Berlin', '2026-03-28T22:30:00Z'],
    ['Europe/Berlin', '2026-10-24T21:30:00Z'],
    // Clocks change at midnight: 00:00 does not exist on 2018-11-04, and 2018-02-17 has 23:30 twice.
    ['America/Sao_Paulo', '2018-11-03T01:30:00Z'],
    ['America/Sao_Paulo', '2018-02-17T01:30:00Z'],
  ])('%s around %s', async (zone, first) => {
    const service = await startService({ USAGE_TIME_ZONE: zone });
    try {
      // The job of the start removes old views.
      await service.waitForJobs();
      const reports = await reportsIn(service);
      const planted = Array.from({ length: 52 * 2 }, (_, index) => ({
        report: reports[index % 6] as Report,
        person: people[index % 12] as string,
        at: new Date(Date.parse(first) + index * 1_800_000).toISOString(),
      }));
      await plant(service, planted);
      await rollUp(service);
      expect(await differences(service, zone)).toEqual([]);
      const local = new Intl.DateTimeFormat('en-CA', { timeZone: zone });
      const expected = Map.groupBy(planted, ({ at }) => local.format(new Date(at)));
      expect(expected.size).toBeGreaterThan(2);
      const rows = await service.database.query(
        `SELECT day::text, sum(views)::int AS views FROM usage_report_day GROUP BY day ORDER BY day`,
      );
      expect(rows).toEqual([...expected].map(([day, { length }]) => ({ day, views: length })));
    } finally {
      await service.close();
    }
  });

  test('a change of the zone keeps the issued views of days whose tokens are removed', async () => {
    const service = await startService({ EMBED_GRANT_DAYS: '30' });
    try {
      const [report] = (await reportsIn(service)) as [Report];
      const user = await service.factory.user();
      const view = () => plant(service, [{ report, person: user.id, at: service.clock.now().toISOString() }]);
      await view();
      service.clock.advance(2 * 86_400);
      await view();
      await issue(service, user, report, { timesIssued: 3 });
      await rollUp(service);
      service.clock.advance(45 * 86_400);
      await view();
      await issue(service, user, report, { timesIssued: 4 });
      await service.database.query('DELETE FROM issued_tokens WHERE issued_at < $1', [
        new Date(service.clock.now().getTime() - 30 * 86_400_000),
      ]);
      await rollUp(service);
      const zone = 'Pacific/Auckland';
      const environment = { ...service.environment, USAGE_TIME_ZONE: zone };
      const replica = await startInProcessReplica({ ...service, environment });
      const sums = async () => {
        const [row] = await service.database.query(
          `SELECT (SELECT time_zone FROM usage_state) AS zone,
             (SELECT sum(issued_views)::int FROM usage_report_day) AS reports,
             (SELECT sum(issued_views)::int FROM usage_workspace_day WHERE workspace_id = $1) AS workspace,
             (SELECT sum(issued_views)::int FROM usage_report_sums WHERE period = 'week') AS weeks,
             (SELECT sum(views)::int FROM usage_report_day) AS views`,
          [report.workspaceId],
        );
        return row as { zone: string };
      };
      // A rollup of the other replica, which has the old zone, computes the days once more.
      await until(async () => {
        await rollUp(replica);
        return (await sums()).zone === zone;
      });
      expect(await sums()).toMatchObject({ reports: 7, workspace: 7, weeks: 7, views: 3 });
      await replica.close();
    } finally {
      await service.close();
    }
  });

  test.each([60, 10])(
    'the issued views of a day stay when its tokens of %i minutes are removed',
    async (minutes) => {
      const service = await startService({ EMBED_GRANT_DAYS: '1' });
      try {
        const [report] = (await reportsIn(service)) as [Report];
        const user = await service.factory.user();
        const issuedViews = () =>
          service.database.query('SELECT sum(issued_views)::int AS issued FROM usage_report_day');
        const day = 86_400_000;
        const cleanup = service.app.get(IssuedTokensService);
        // Five past midnight.
        service.clock.advance((day - (service.clock.now().getTime() % day)) / 1000 + 300);
        await issue(service, user, report, { timesIssued: 3, minutes });
        await rollUp(service);
        // After the last rollup before midnight.
        service.clock.advance(23 * 3600 + 3240);
        await issue(service, user, report, { timesIssued: 2, minutes });
        service.clock.advance(120);
        await rollUp(service);
        expect(await issuedViews()).toEqual([{ issued: 5 }]);
        // A short token has expired a day ago, and its day is counted once more.
        service.clock.advance(1140);
        await cleanup.removeOld();
        await rollUp(service);
        expect(await issuedViews()).toEqual([{ issued: 5 }]);
        // The tokens are removed while their day would still be counted again each minute.
        service.clock.advance(26 * 3600);
        await cleanup.removeOld();
        expect(await service.database.query('SELECT FROM issued_tokens')).toEqual([]);
        await rollUp(service);
        expect(await issuedViews()).toEqual([{ issued: 5 }]);
      } finally {
        await service.close();
      }
    },
  );

  test('old tokens are found by an index', async () => {
    // Before the connections of the service are opened.
    const statements = new Statements();
    const service = await startService();
    const explaining = await explainingConnection(service);
    try {
      const sent = await statements.during(() => service.app.get(IssuedTokensService).removeOld());
      // The tables are empty.
      await explaining.query('SET enable_seqscan = off');
      const removal = sent.filter(({ text }) => text.includes('DELETE FROM issued_tokens'));
      const nodes = await planNodes(explaining, removal);
      const read = nodes.filter((node) => node['Relation Name']?.startsWith('issued_tokens') === true);
      expect(read.length).toBeGreaterThan(0);
      expect(read.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
    } finally {
      statements.close();
      await explaining.end();
      await service.close();
    }
  });

  test('a change of the zone computes the days again', async () => {
    const service = await startService();
    try {
      await plant(service, views(await reportsIn(service), service.clock.now()));
      await rollUp(service);
      const zone = 'Pacific/Auckland';
      const replica = await startInProcessReplica({
        ...service,
        environment: { ...service.environment, USAGE_TIME_ZONE: zone },
      });
      // A rollup of the other replica, which has the old zone, computes them once more.
      await until(async () => {
        await rollUp(replica);
        return (await differences(service, zone)).length === 0;
      });
      await replica.close();
    } finally {
      await service.close();
    }
  });
});
