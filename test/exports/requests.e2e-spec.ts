import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Client, comparable } from '../support/client.js';
import { callsTo } from '../support/syncing.js';
import { type Exported, type Exporting, startExporting } from './exporting.js';

let at: Exporting;
let editor: Client;
let viewer: Client;
let manager: Client;

beforeAll(async () => {
  at = await startExporting();
  editor = (await at.asRole('Sales', 'editor')).client;
  viewer = (await at.asRole('Sales', 'viewer')).client;
  manager = (await at.asRole('Sales', 'manager')).client;
});
afterAll(() => at.service.close());

describe('POST /api/reports/:id/exports', () => {
  test('202 with the address of the export, whose file names report and format', async () => {
    const report = await at.report('Revenue overview');
    const { status, headers, body } = await at.request(editor, report);
    expect(status).toBe(202);
    expect(headers.get('location')).toBe(`/api/exports/${body.id}`);
    expect(body).toEqual({
      id: expect.any(String),
      report_id: report.id,
      format: 'PDF',
      status: 'queued',
      percent: 0,
      file_name: 'Revenue overview.pdf',
      size: null,
      error: null,
      created_at: expect.any(String),
      expires_at: null,
    });
    const done = await at.reached(editor, body.id, 'status', 'succeeded');
    const file = await at.file(editor, `/api/exports/${body.id}/file`);
    expect(done).toMatchObject({ percent: 100, size: file.text.length, expires_at: expect.any(String) });
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-length')).toBe(String(done.size));
    expect(file.headers.get('cache-control')).toContain('no-store');
    expect(file.headers.get('content-disposition')).toContain('attachment; filename="Revenue overview.pdf"');
    expect(file.text).toContain('Pages: ReportSection, ReportSection1');
  });

  test('exports the selected pages and the current view', async () => {
    const report = await at.report('Revenue overview');
    const body = { format: 'PDF', pages: ['ReportSection1'], view_state: 'H4sIAAAAstate' };
    const text = await at.exported(editor, report, body);
    expect(text).toContain('Pages: ReportSection1)');
    expect(text).toContain('View: H4sIAAAAstate');
  });

  test('exports a saved view, which the caller must be able to see', async () => {
    const report = await at.report('Revenue overview');
    const other = await at.report('Pipeline');
    const view = { name: 'Europe', state: 'H4sIAAAAsaved' };
    const saved = await editor.post<{ id: string }>(`/api/reports/${report.id}/views`, view);
    const view_id = saved.body.id;
    expect(await at.exported(editor, report, { format: 'PDF', view_id })).toContain('View: H4sIAAAAsaved');
    const refused = async (client: Client, target: { id: string }, body: object) =>
      (await at.request(client, target, { format: 'PDF', ...body })) as object;
    const expected = { status: 400, body: { errors: [{ pointer: '/view_id' }] } };
    expect(await refused(manager, report, { view_id })).toMatchObject(expected);
    expect(await refused(editor, other, { view_id })).toMatchObject(expected);
    expect(await refused(editor, report, { view_id: randomUUID() })).toMatchObject(expected);
    expect(await refused(editor, report, { view_id, view_state: 'state' })).toMatchObject(expected);
  });

  test('names a file with several images after the archive that Power BI sends', async () => {
    const { body } = await at.request(editor, await at.report('Revenue overview'), { format: 'PNG' });
    const done = await at.reached(editor, body.id, 'status', 'succeeded');
    expect(done.file_name).toBe('Revenue overview.zip');
  });

  test('a repeated request with the same Idempotency-Key starts one export', async () => {
    const { id } = await at.report('Pipeline');
    const send = () =>
      editor.post<{ id: string }>(
        `/api/reports/${id}/exports`,
        { format: 'PDF' },
        { 'Idempotency-Key': 'k1' },
      );
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect([second.status, second.headers.get('location')]).toEqual([202, `/api/exports/${first.body.id}`]);
    expect(second.headers.get('idempotency-replayed')).toBe('true');
  });

  test('202 for pages with an Idempotency-Key, whose transaction does not wait for Power BI', async () => {
    const { id } = await at.report('Revenue overview');
    const order = { format: 'PDF', pages: ['ReportSection1'] };
    const keyed = { 'Idempotency-Key': 'pages' };
    await at.forgetCalls();
    const { status, body } = await editor.post<Exported>(`/api/reports/${id}/exports`, order, keyed);
    expect(status).toBe(202);
    await at.reached(editor, body.id, 'status', 'succeeded');
    expect((await at.file(editor, `/api/exports/${body.id}/file`)).text).toContain('Pages: ReportSection1)');
    expect(await callsTo(at.service, /\/pages$/)).toEqual([]);
  });

  test('404 for a repeated request, as for a first one, after the loss of the report', async () => {
    const report = await at.report('Pipeline');
    const { user, client } = await at.asRole('Sales', 'editor');
    const send = () =>
      client.post(`/api/reports/${report.id}/exports`, { format: 'PDF' }, { 'Idempotency-Key': 'lost' });
    expect((await send()).status).toBe(202);
    const admin = await at.service.asAdmin();
    const { id } = await at.workspace('Sales');
    expect((await admin.delete(`/api/workspaces/${id}/members/${user.id}`)).status).toBe(204);
    expect(await send()).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
  });

  test.each([
    ['/format', { format: 'GIF' }],
    ['/format', { format: 'XLSX' }],
    ['/format', {}],
    ['/pages', { format: 'PDF', pages: [] }],
    ['/pages', { format: 'PDF', pages: Array.from({ length: 51 }, (_, index) => `p${index}`) }],
    ['/pages', { format: 'PDF', pages: ['ReportSection', 'ReportSection'] }],
    ['/pages/1', { format: 'PDF', pages: ['ReportSection', 'Missing'] }],
    ['/view_state', { format: 'PDF', view_state: 'x'.repeat(65_537) }],
    ['/identity', { format: 'PDF', identity: 'ben@vitrine.example' }],
  ])('400 that names %s', async (pointer, body) => {
    const { status, body: problem } = await at.request(editor, await at.report('Revenue overview'), body);
    expect(status).toBe(400);
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ pointer }] });
  });

  test.each([
    ['/format', { format: 'PNG' }],
    ['/pages', { format: 'PDF', pages: ['ReportSection'] }],
    ['/view_state', { format: 'PDF', view_state: 'state' }],
    ['/view_id', { format: 'PDF', view_id: randomUUID() }],
  ])('400 for a paginated report that names %s', async (pointer, body) => {
    const response = await at.request(editor, await at.report('Order confirmation'), body);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test('a paginated report is exported to its formats', async () => {
    const text = await at.exported(editor, await at.report('Order confirmation'), { format: 'XLSX' });
    expect(text).toContain('Format: XLSX');
  });

  test('400 for a view of more than 64 kB, however few its characters are', async () => {
    const body = { format: 'PDF', view_state: 'ä'.repeat(32_769) };
    const response = await at.request(editor, await at.report('Pipeline'), body);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/view_state' }] } });
  });

  test('403 for a viewer, until a manager allows exports by viewers', async () => {
    const report = await at.report('Pipeline');
    const options = `/api/reports/${report.id}/export-options`;
    const { id } = await at.workspace('Sales');
    expect((await viewer.get(options)).body).toEqual({
      can_export: false,
      reason: 'viewers_not_allowed',
      formats: ['PDF', 'PPTX', 'PNG'],
      max_pages: 50,
    });
    expect(await at.request(viewer, report)).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    const settings = `/api/workspaces/${id}/settings`;
    expect((await viewer.patch(settings, { viewers_can_export: true })).status).toBe(403);
    const changed = await manager.patch(settings, { viewers_can_export: true });
    expect(changed).toMatchObject({ status: 200, body: { viewers_can_export: true } });
    expect((await viewer.get(options)).body).toMatchObject({ can_export: true, reason: null });
    expect(await at.exported(viewer, report)).toContain('Report: Pipeline');
    await manager.patch(settings, { viewers_can_export: false });
    expect((await at.request(viewer, report)).status).toBe(403);
    const admin = await at.service.asAdmin();
    const { body } = await admin.get(`/api/audit-events?action=workspace_changed`);
    expect(body).toMatchObject({ audit_events: [{ target: { id } }, { target: { id } }] });
  });

  test('403: repeated refusals, with and without Idempotency-Key, are one event, then one a minute with their number', async () => {
    const { id } = await at.report('Pipeline');
    const { user, client } = await at.asRole('Sales', 'viewer');
    const refused = async (headers: Record<string, string>) => {
      const sent = { 'X-Request-Id': 'refused-export', ...headers };
      const { status } = await client.post(`/api/reports/${id}/exports`, { format: 'PDF' }, sent);
      expect(status).toBe(403);
    };
    const events = () =>
      at.service.database.query<object[]>(
        `SELECT data->>'code' AS code, data->'repeats' AS repeats FROM events
         WHERE type = 'export.denied' AND data->>'actor_id' = $1 ORDER BY data->>'repeats'`,
        [user.id],
      );
    const first = { code: 'access_denied', repeats: null };
    await refused({ 'Idempotency-Key': 'refused-1' });
    await refused({});
    await refused({ 'Idempotency-Key': 'refused-2' });
    expect(await events()).toEqual([first]);
    const admin = await at.service.asAdmin();
    const { body } = await admin.get<{ audit_events: object[] }>(
      '/api/audit-events?request_id=refused-export',
    );
    expect(body.audit_events).toMatchObject([{ action: 'report_export_denied', outcome: 'denied' }]);
    at.service.clock.advance(61);
    await refused({ 'Idempotency-Key': 'refused-3' });
    expect(await events()).toEqual([{ ...first, repeats: 2 }, first, first]);
  });

  test('404 for a report that the caller may not see, as for one that does not exist', async () => {
    const foreign = await at.request(editor, await at.report('Cash flow'));
    const unknown = await at.request(editor, { id: randomUUID() });
    expect(foreign.status).toBe(404);
    expect(comparable({ ...foreign, body: { ...foreign.body } })).toEqual(
      comparable({ ...unknown, body: { ...unknown.body } }),
    );
  });

  test('409 with ten exports in progress', async () => {
    await at.settings({ job_seconds: 600 });
    const { client, user } = await at.asRole('Sales', 'editor');
    const report = await at.report('Pipeline');
    for (let count = 0; count < 10; count += 1) expect((await at.request(client, report)).status).toBe(202);
    expect(await at.request(client, report)).toMatchObject({
      status: 409,
      body: { code: 'too_many_exports' },
    });
    await at.service.database.query(`DELETE FROM report_exports WHERE user_id = $1`, [user.id]);
    await at.settings({ job_seconds: 0 });
  });
});

describe('an export of someone else', () => {
  test('is not found, as one that does not exist, also for admins', async () => {
    const { body } = await at.request(editor, await at.report('Pipeline'));
    await at.reached(editor, body.id, 'status', 'succeeded');
    const admin = await at.service.asAdmin();
    const ask = (caller: Client, id: string) => [
      caller.get(`/api/exports/${id}`),
      caller.get(`/api/exports/${id}/file`),
      caller.post(`/api/exports/${id}/tickets`),
      caller.delete(`/api/exports/${id}`),
    ];
    for (const caller of [viewer, admin]) {
      const foreign = await Promise.all(ask(caller, body.id));
      const unknown = await Promise.all(ask(caller, randomUUID()));
      expect(foreign.map(comparable)).toEqual(unknown.map(comparable));
      expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    expect((await viewer.get<{ exports: { id: string }[] }>('/api/exports')).body.exports).not.toContainEqual(
      expect.objectContaining({ id: body.id }),
    );
    expect((await editor.get<{ exports: { id: string }[] }>('/api/exports')).body.exports[0]).toMatchObject({
      id: body.id,
    });
  });
});
