// Usage figures of an organization with BENCH_VIEWS views in BENCH_DAYS days: ingest, rollup of a day, reads and disk.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createUsers, type BenchUser } from './bench-users.js';
import { fillCatalogue } from './catalogue-rows.js';
import { seconds, setting } from './rounds.js';
import { admin, cpuSeconds } from './parts.js';
import { percentile, printRows, row, type Row } from './rows.js';
import { startTestBed, type TestBed } from './test-bed.js';
import { withModules } from '../src/cli/service.js';
import { UsageRollupService } from '../src/usage/usage-rollup.service.js';
import { DataSource } from 'typeorm';

const VIEWS = setting('BENCH_VIEWS', 10_000_000);
const DAYS = setting('BENCH_DAYS', 30);
const PEOPLE = setting('BENCH_PEOPLE', 24_000);
const WORKSPACES = setting('BENCH_WORKSPACES', 300);
const REPORTS_EACH = 34;
const USERS = 100;
const TOKENS_EACH = 40;
const CONNECTIONS = 4;
const READS = 100;

/** A few reports and people have most of the views; the working day begins at nine. */
const insertDay = `
INSERT INTO usage_views (id, started_at, report_id, workspace_id, person, by_admin, page_views, failures, visible_ms, load_ms,
  load_seq, render_ms, render_seq, seqs, pages, errors)
SELECT gen_random_uuid(), at, r.id, r.workspace_id, person, person % 200 = 0, 2, (n % 50 = 0)::int,
  (random() * 300000)::int, render / 2, 1, render, 2, '{0,1,2,3,4,5}', ARRAY['ReportSection1', 'ReportSection2'],
  CASE WHEN n % 50 = 0 THEN ARRAY['TokenExpired'] END
FROM (
  SELECT n, $1::date + interval '9 hours' + power(random(), 2) * interval '9 hours' AS at,
    1 + (power(random(), 2.5) * ($3 - 1))::int AS position, 1 + (power(random(), 1.5) * ($4 - 1))::int AS person,
    (600 + 8000 * power(random(), 4))::int AS render
  FROM generate_series(1, $2::int) AS n) AS view
JOIN bench_reports r USING (position)`;

const noteDay = `
INSERT INTO usage_changes (at, report_id, noted_at)
SELECT min(started_at), report_id, now() FROM usage_views WHERE started_at >= $1::date AND started_at < $1::date + 1
GROUP BY report_id`;

async function fill({ database }: TestBed): Promise<number> {
  await fillCatalogue(database, { workspaces: WORKSPACES, reportsEach: REPORTS_EACH });
  await database.query(
    `CREATE TABLE bench_reports AS
       SELECT row_number() OVER (ORDER BY md5(id::text))::int AS position, id, workspace_id FROM reports;
     ALTER TABLE bench_reports ADD PRIMARY KEY (position);
     DO $$ DECLARE m timestamp; BEGIN
       FOR m IN SELECT generate_series(date_trunc('month', now() - make_interval(days => ${DAYS + 1})), now(), interval '1 month') LOOP
         PERFORM usage_views_create_partition(m);
       END LOOP; END $$;
     ANALYZE bench_reports`,
  );
  await database.query(
    `WITH added AS (
       INSERT INTO users (id, email, name, role, status, password_hash, created_at)
       SELECT person.id, person.id || '@vitrine.example', 'Member', 'member', 'active', password_hash, now()
       FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, $1::int)) AS person, users WHERE email = $2 RETURNING id)
     INSERT INTO usage_people (person) SELECT id FROM added`,
    [PEOPLE, admin.email],
  );
  return WORKSPACES * REPORTS_EACH;
}

/** Runs rollups until nothing is left, also while a rollup of the service has the lock. */
async function rollUpAll(
  { environment, database }: TestBed,
  days: readonly string[],
  perDay: number,
  reports: number,
) {
  const insert: number[] = [];
  const rollups: number[] = [];
  Object.assign(process.env, environment);
  await withModules(async (app) => {
    await app.get(DataSource).initialize();
    const rollup = app.get(UsageRollupService, { strict: false });
    for (const day of days) {
      const began = performance.now();
      await database.query(insertDay, [day, perDay, reports, PEOPLE]);
      await database.query('ANALYZE usage_views');
      const inserted = performance.now();
      await database.query(noteDay, [day]);
      for (let left = 1; left > 0;) {
        await rollup.run();
        const { rows } = await database.query<{ left: number }>(
          'SELECT count(*)::int AS left FROM usage_changes',
        );
        left = rows[0]?.left ?? 0;
      }
      insert.push(inserted - began);
      rollups.push((performance.now() - inserted) / 1000);
      console.error(`   ${day}: ${Math.round(inserted - began)} ms, rollup ${rollups.at(-1)?.toFixed(1)} s`);
    }
  });
  await database.query('VACUUM ANALYZE');
  return rollups;
}

async function issueTokens({ database }: TestBed, users: readonly BenchUser[]) {
  const { rows } = await database.query<{ user_id: string; token_id: string }>(
    `INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at, last_issued_at)
     SELECT gen_random_uuid(), gen_random_uuid(), user_id, r.id, r.workspace_id, 'view', now(), now() + interval '1 hour', now()
     FROM unnest($1::uuid[]) AS user_id JOIN bench_reports r ON r.position <= $2 RETURNING user_id, token_id`,
    [users.map(({ id }) => id), TOKENS_EACH],
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.map(({ user_id, token_id }) => ({ user: byId.get(user_id) as BenchUser, token: token_id }));
}

/** Two views of five events in each request, as `@vitrine/embed` sends them at the end of a page. */
const batch = (token: string): string => {
  const kinds = ['opened', 'loaded', 'rendered', 'page', 'closed'];
  const events = [randomUUID(), randomUUID()].flatMap((view_id) =>
    kinds.map((kind, seq) => ({
      view_id,
      token_id: token,
      seq,
      kind,
      at_ms: Date.now(),
      ...(kind === 'page' ? { page: 'ReportSection1' } : { ms: 900 }),
    })),
  );
  return JSON.stringify({ events });
};

async function measureIngest(
  testBed: TestBed,
  tokens: Awaited<ReturnType<typeof issueTokens>>,
): Promise<Row> {
  const times: number[] = [];
  let events = 0;
  let next = 0;
  const { service } = testBed;
  const cpuBefore = cpuSeconds(service);
  const began = performance.now();
  const period = Math.max(seconds, 10) * 1000;
  const caller = async (): Promise<void> => {
    while (performance.now() - began < period) {
      const { user, token } = tokens[next++ % tokens.length] as (typeof tokens)[number];
      const startedAt = performance.now();
      const response = await fetch(`${testBed.url}/api/usage/events`, {
        method: 'POST',
        headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
        body: batch(token),
      });
      const { accepted } = (await response.json()) as { accepted: number };
      times.push(performance.now() - startedAt);
      events += accepted;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, caller));
  const rate = (events / (performance.now() - began)) * 1000;
  return row({
    work: 'usage: ingest, 10 events a request',
    figures: {
      events_s: rate,
      events_per_cpu_s: events / (cpuSeconds(service) - cpuBefore),
      p50_ms: percentile(times, 0.5),
      p95_ms: percentile(times, 0.95),
    },
    value: rate,
    goal: { atLeast: 1000, unit: 'events/s' },
  });
}

async function measureRead({ url, token }: TestBed, work: string, paths: readonly string[]): Promise<Row> {
  const times: number[] = [];
  for (let index = -5; index < READS; index += 1) {
    const path = paths[Math.abs(index) % paths.length] as string;
    const began = performance.now();
    const response = await fetch(`${url}/api/usage/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const body = await response.text();
    if (response.status === 503) {
      await sleep(1000);
      index -= 1;
      continue;
    }
    if (!response.ok) throw new Error(`${path}: ${response.status} ${body}`);
    if (index >= 0) times.push(performance.now() - began);
  }
  const p95 = percentile(times, 0.95);
  return row({
    work: `usage: ${work}`,
    figures: { p50_ms: percentile(times, 0.5), p95_ms: p95 },
    value: p95,
    goal: { atMost: 100, unit: 'ms' },
  });
}

async function mostOpened({ url, token }: TestBed): Promise<string> {
  const response = await fetch(`${url}/api/usage/reports?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { reports } = (await response.json()) as { reports: { report_id: string }[] };
  const id = reports[0]?.report_id ?? '';
  const report = await fetch(`${url}/api/usage/reports/${id}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const { people } = (await report.json()) as { people: unknown[] | null };
  if (!people?.length) throw new Error('The most opened report has no people');
  return id;
}

async function measureDisk({ database }: TestBed): Promise<Row> {
  const { rows } = await database.query<{ views: number; raw: number; rollups: number }>(
    `SELECT (SELECT count(*)::int FROM usage_views) AS views,
       (SELECT sum(pg_total_relation_size(inhrelid))::float8 FROM pg_inherits WHERE inhparent = 'usage_views'::regclass) AS raw,
       (SELECT sum(pg_total_relation_size(oid))::float8 FROM pg_class WHERE relkind = 'r'
          AND relname IN ('usage_report_day', 'usage_workspace_day', 'usage_report_sums', 'usage_report_month', 'usage_active_people')) AS rollups`,
  );
  const { views = 1, raw = 0, rollups = 0 } = rows[0] ?? {};
  const perMillion = (bytes: number): number => bytes / views;
  return row({
    work: `usage: disk, ${views} views`,
    figures: { views_MB_per_million: perMillion(raw), figures_MB_per_million: perMillion(rollups) },
  });
}

const testBed = await startTestBed();
try {
  const reports = await fill(testBed);
  const today = Date.now();
  const days = Array.from({ length: DAYS }, (_, index) =>
    new Date(today - (DAYS - index) * 86_400_000).toISOString().slice(0, 10),
  );
  const perDay = Math.round(VIEWS / DAYS);
  const rollups = await rollUpAll(testBed, days, perDay, reports);
  const slowest = Math.max(...rollups);
  // Before the reads: without an issued view, a rollup looks for one in all days.
  const tokens = await issueTokens(testBed, await createUsers(testBed, USERS));
  const mostOpenedReport = await mostOpened(testBed);
  const rows = [
    row({
      work: `usage: rollup of a day with ${perDay} views`,
      figures: { s: percentile(rollups, 0.5), most_s: slowest },
      value: slowest,
      goal: { atMost: 60, unit: 's' },
    }),
    await measureRead(testBed, `overview of ${DAYS} days`, [
      `overview?days=${DAYS}`,
      `overview?days=${DAYS}&bucket=week&exclude_admins=true`,
    ]),
    await measureRead(testBed, 'first reports by views', [`reports?days=${DAYS}&limit=25`]),
    await measureRead(testBed, 'first 1,000 reports by views', [`reports?days=${DAYS}`]),
    // The portal asks for weeks, where the period has more than 31 days.
    await measureRead(testBed, 'the most opened report, with its people', [
      `reports/${mostOpenedReport}?days=${DAYS}`,
      `reports/${mostOpenedReport}?days=${DAYS}&bucket=week`,
    ]),
    await measureIngest(testBed, tokens),
    await measureRead(testBed, 'overview after ingest', [`overview?days=${DAYS}`]),
    await measureDisk(testBed),
  ];
  printRows(rows);
} finally {
  await testBed.close();
}
