import type { Client as Connection } from 'pg';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Service, startService } from '../support/service.js';
import { explainingConnection, mostRowsRead, Statements } from '../support/statements.js';
import { rollUp } from './figures.js';

const REPORTS = 1000;
/** Joining the reports of a day with themselves would read `REPORTS` times `REPORTS`, or half of it. */
const MOST_READ = 100 * REPORTS;
const reports = `(SELECT md5('report ' || n)::uuid AS report_id, md5('workspace ' || n)::uuid AS workspace_id
  FROM generate_series(1, ${REPORTS}) n) AS report`;

let statements: Statements;
let service: Service;
let explaining: Connection;

beforeAll(async () => {
  statements = new Statements();
  service = await startService();
  await service.waitForJobs();
  explaining = await explainingConnection(service);
});
afterAll(async () => {
  statements.close();
  await explaining.end();
  await service.close();
});

test('a rollup of a day that is new since the last statistics reads no rows again and again', async () => {
  const now = service.clock.now();
  const { id } = await service.factory.user();
  const person = `(SELECT number FROM usage_people WHERE person = $2::uuid)`;
  await explaining.query('ALTER TABLE usage_report_day SET (autovacuum_enabled = false)');
  await explaining.query('INSERT INTO usage_people (person) VALUES ($1)', [id]);
  await explaining.query(
    `INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, views, viewers, people)
     SELECT ($1::timestamptz AT TIME ZONE 'UTC')::date - age, report_id, false, workspace_id, 1, 1, ARRAY[${person}]
     FROM generate_series(1, 30) AS age, ${reports}`,
    [now, id],
  );
  await explaining.query('ANALYZE usage_report_day');
  const sent = await statements.during(async () => {
    await explaining.query(
      `INSERT INTO usage_views (id, started_at, report_id, workspace_id, person, by_admin, page_views, failures, visible_ms,
         seqs, pages, errors)
       SELECT gen_random_uuid(), $1::timestamptz, report_id, workspace_id, ${person}, false, 1, 1, 0, '{0}', '{a}', '{TokenExpired}'
       FROM ${reports}`,
      [now, id],
    );
    await explaining.query(
      `INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at, last_issued_at,
         times_issued)
       SELECT gen_random_uuid(), gen_random_uuid(), $2::uuid, report_id, workspace_id, 'view', $1::timestamptz,
         $1::timestamptz + interval '1 hour', $1::timestamptz, 1 FROM ${reports}`,
      [now, id],
    );
    await explaining.query(
      `INSERT INTO usage_changes (at, report_id, noted_at) SELECT $1::timestamptz, report_id, $1::timestamptz FROM ${reports}`,
      [now],
    );
    await rollUp(service);
  });
  const rollups = sent.filter(({ text }) => /\b(fresh|touched) AS MATERIALIZED/.test(text));
  expect(rollups.some(({ text }) => text.includes('issued_tokens'))).toBe(true);
  expect(rollups.some(({ text }) => text.includes('usage_views'))).toBe(true);
  expect(rollups.some(({ text }) => text.includes('usage_workspace_day'))).toBe(true);
  for (const statement of rollups) {
    const read = await mostRowsRead(explaining, statement);
    expect(read < MOST_READ ? 'few' : `${read} by ${statement.text}`).toBe('few');
  }
});
