import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AuditService } from '../../src/platform/audit/audit.service.js';
import { ExportScheduleService } from '../../src/reports/exports/export-schedule.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { endConnection } from '../support/owner.js';
import { until } from '../support/until.js';
import { type Exporting, startExporting } from './exporting.js';

let at: Exporting;
let editor: Client;
let person: User;

beforeAll(async () => {
  at = await startExporting({ EXPORT_MAX_MB: '1' });
  ({ client: editor, user: person } = await at.asRole('Sales', 'editor'));
});
beforeEach(async () => {
  await at.clearFaults();
  await at.settings({
    job_seconds: 0,
    jobs_fail: false,
    exports_per_capacity: 500,
    failed_export_retry_seconds: null,
  });
});
afterEach(() => void jest.restoreAllMocks());
afterAll(() => at.service.close());

const start = async (report = 'Pipeline') => (await at.request(editor, await at.report(report))).body.id;

async function failure(id: string, client = editor) {
  return (await at.reached(client, id, 'status', 'failed')).error;
}

/** Waits until Power BI has started the export. */
const started = (id: string): Promise<unknown> =>
  until(async () => {
    const query = 'SELECT attempts FROM report_exports WHERE id = $1';
    const [row] = await at.service.database.query(query, [id]);
    return row.attempts > 0;
  });

describe('a throttled capacity', () => {
  test('delays the export, and says so', async () => {
    await at.settings({ exports_per_capacity: 0, export_retry_seconds: 1 });
    const id = await start();
    expect(await at.waiting(editor, id)).toMatchObject({
      status: 'queued',
      error: { code: 'power_bi_throttled' },
    });
    await at.settings({ exports_per_capacity: 500 });
    expect(await at.reached(editor, id, 'status', 'succeeded')).toMatchObject({ error: null });
  });

  test('is not called again before the time that it asks for', async () => {
    await at.settings({ exports_per_capacity: 0, export_retry_seconds: 3 });
    await at.forgetCalls();
    const first = await start();
    await at.waiting(editor, first);
    await at.settings({ exports_per_capacity: 500 });
    const second = await start();
    for (const id of [first, second]) await at.reached(editor, id, 'status', 'succeeded');
    const [refused, ...later] = (await at.exportCalls()).map((call) => Date.parse(call.at));
    const soonest = Math.min(...later) - (refused ?? 0);
    // Both clocks are read in milliseconds.
    expect(soonest).toBeGreaterThan(2990);
  });

  test('ends the export with a clear message when it lasts', async () => {
    await at.settings({ exports_per_capacity: 0, export_retry_seconds: 1 });
    const id = await start();
    at.service.clock.advance(1801);
    editor = await at.service.as(person);
    expect(await failure(id, editor)).toEqual({
      code: 'power_bi_throttled',
      detail: 'The request limit of Power BI is exceeded. Try again later.',
    });
  });
});

describe('a refusal of Power BI ends the export with a clear message:', () => {
  test('a sensitivity label', async () => {
    const { pbiReportId } = await at.report('Product mix');
    await at.service.powerBi.post('/__emulator/labels', { report_id: pbiReportId, label: 'Confidential' });
    expect(await failure(await start('Product mix'))).toEqual({
      code: 'power_bi_label_refused',
      detail: 'The report has a sensitivity label that does not allow an export by the service.',
    });
    await at.settings({ guesses: { export_label: '403' } });
    expect(await failure(await start('Product mix'))).toMatchObject({ code: 'power_bi_label_refused' });
    const admin = await at.service.asAdmin();
    const { body } = await admin.get<{ audit_events: object[] }>(
      '/api/audit-events?action=report_export_failed',
    );
    expect(body.audit_events[0]).toMatchObject({
      outcome: 'failed',
      details: { code: 'power_bi_label_refused', format: 'PDF' },
    });
  });

  test('a workspace without a capacity', async () => {
    const trial = await at.asRole('Trials', 'editor');
    const { body } = await at.request(trial.client, await at.report('Trial dashboard'));
    expect(await failure(body.id, trial.client)).toMatchObject({ code: 'power_bi_capacity_required' });
  });

  test('a job that fails', async () => {
    await at.settings({ jobs_fail: true });
    expect(await failure(await start())).toMatchObject({ code: 'power_bi_export_failed' });
  });

  test('a job that fails, which Power BI asks to repeat, is repeated', async () => {
    await at.settings({ jobs_fail: true, failed_export_retry_seconds: 1 });
    await at.forgetCalls();
    const id = await start();
    await started(id);
    await at.settings({ jobs_fail: false });
    await at.reached(editor, id, 'status', 'succeeded');
    expect((await at.exportCalls()).length).toBe(2);
  });

  test.each(['400', 'fails'])(
    'a page that the report does not have, of a request with an Idempotency-Key (%s)',
    async (guess) => {
      await at.settings({ guesses: { export_unknown_page: guess } });
      const { id: report } = await at.report('Revenue overview');
      const body = { format: 'PDF', pages: ['ReportSection', 'Missing'] };
      const key = { 'Idempotency-Key': `missing page ${guess}` };
      const accepted = await editor.post<{ id: string }>(`/api/reports/${report}/exports`, body, key);
      expect(accepted.status).toBe(202);
      expect(await failure(accepted.body.id)).toEqual({
        code: 'power_bi_export_failed',
        detail: 'The report has no page "Missing".',
      });
    },
  );

  test('a file that exceeds the limit, of which nothing is kept', async () => {
    await at.service.powerBi.post('/__emulator/faults', {
      path: '/exports/[^/]+/file$',
      status: 200,
      body: 'x'.repeat(1024 * 1024 + 1),
    });
    const id = await start();
    expect(await failure(id)).toMatchObject({ code: 'export_too_large' });
    const rows = await at.service.database.query('SELECT FROM report_export_chunks WHERE export_id = $1', [
      id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('an interruption', () => {
  test('of Power BI is waited for', async () => {
    await at.service.powerBi.post('/__emulator/faults', {
      path: '/exports/',
      status: 503,
      retry_after: 1,
      times: 2,
    });
    await at.reached(editor, await start(), 'status', 'succeeded');
  });

  test.each([
    ['that is not ready', 202],
    ['that is empty', 200],
  ])('of a download, with a file %s, is waited for', async (_name, status) => {
    await at.service.powerBi.post('/__emulator/faults', {
      path: '/exports/[^/]+/file$',
      status,
      times: 1,
    });
    const id = await start();
    expect(await at.reached(editor, id, 'status', 'succeeded')).toMatchObject({ error: null });
    expect((await at.file(editor, `/api/exports/${id}/file`)).text).toContain('Pipeline');
  });

  test('of the response to a start, which Power BI may have made, repeats the start at most twice', async () => {
    await at.service.powerBi.post('/__emulator/faults', { path: '/ExportTo$', reset: true });
    await at.forgetCalls();
    expect(await failure(await start())).toMatchObject({ code: 'power_bi_unavailable' });
    expect(await at.exportCalls()).toHaveLength(3);
  });

  test('of the response to a start is waited for', async () => {
    await at.service.powerBi.post('/__emulator/faults', { path: '/ExportTo$', reset: true, times: 2 });
    await at.forgetCalls();
    await at.reached(editor, await start(), 'status', 'succeeded');
    expect(await at.exportCalls()).toHaveLength(3);
  });

  test('of the connection to the database, between two statements, repeats the step', async () => {
    const audit = at.service.app.get(AuditService);
    const record = audit.record.bind(audit);
    let isLost = false;
    jest.spyOn(audit, 'record').mockImplementation(async (tx, entry) => {
      if (entry.action === 'report_exported' && !isLost) {
        isLost = true;
        await endConnection(at.service, tx);
      }
      return record(tx, entry);
    });
    expect(await at.reached(editor, await start(), 'status', 'succeeded')).toMatchObject({ error: null });
    expect(isLost).toBe(true);
  });

  test('that loses the job is repaired', async () => {
    await at.settings({ job_seconds: 600 });
    const id = await start();
    await started(id);
    await at.service.database.query(`DELETE FROM pgboss.job WHERE name = 'report_export'`);
    await at.service.database.query(
      `UPDATE report_exports SET created_at = created_at - interval '20 minutes',
         touched_at = touched_at - interval '20 minutes' WHERE id = $1`,
      [id],
    );
    await at.service.powerBi.post('/__emulator/clock', { advance_seconds: 601 });
    await at.service.app.get(ExportScheduleService).cleanUp();
    await at.reached(editor, id, 'status', 'succeeded');
  });
});

// The last test: its throttling lasts.
test('a long Retry-After is waited for no longer than an export may wait', async () => {
  await at.settings({ exports_per_capacity: 0, export_retry_seconds: 86_400 });
  const id = await start();
  await at.waiting(editor, id);
  const [row] = await at.service.database.query<{ seconds: number }[]>(
    'SELECT extract(epoch FROM touched_at - created_at)::float AS seconds FROM report_exports WHERE id = $1',
    [id],
  );
  expect(row?.seconds).toBeGreaterThan(1800);
  expect(row?.seconds).toBeLessThan(1810);
});
