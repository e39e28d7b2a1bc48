import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ExportScheduleService } from '../../src/reports/exports/export-schedule.service.js';
import { ExportRunnerService } from '../../src/reports/exports/export-runner.service.js';
import { ExportStoreService } from '../../src/reports/exports/export-store.service.js';
import { ExportStatesService } from '../../src/reports/exports/export-states.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type Exporting, startExporting } from './exporting.js';

let at: Exporting;
let editor: Client;
let person: User;
let admin: Client;

beforeAll(async () => {
  at = await startExporting({ EXPORT_PER_CAPACITY: '1' });
  ({ client: editor, user: person } = await at.asRole('Sales', 'editor'));
  admin = await at.service.asAdmin();
});
afterAll(() => at.service.close());

const chunksOf = (id: string): Promise<{ sealed: Buffer }[]> =>
  at.service.database.query('SELECT sealed FROM report_export_chunks WHERE export_id = $1', [id]);

const cleanUp = () => at.service.app.get(ExportScheduleService).cleanUp();

async function completed(): Promise<string> {
  const { body } = await at.request(editor, await at.report('Pipeline'));
  await at.reached(editor, body.id, 'status', 'succeeded');
  return body.id;
}

describe('a file', () => {
  test('is stored encrypted', async () => {
    const id = await completed();
    const [chunk] = await chunksOf(id);
    expect((await at.file(editor, `/api/exports/${id}/file`)).text).toMatch(/^%PDF/);
    expect(chunk?.sealed.length).toBeGreaterThan(100);
    expect(chunk?.sealed.includes('PDF')).toBe(false);
  });

  test('is downloaded by GET: a look at its headers is no download', async () => {
    const id = await completed();
    const downloads = async () => {
      const { body } = await admin.get<{ audit_events: { details: { export_id: string } }[] }>(
        '/api/audit-events?action=report_export_downloaded',
      );
      return body.audit_events.filter(({ details }) => details.export_id === id);
    };
    const url = new URL(`/api/exports/${id}/file`, at.service.url);
    const head = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${editor.token}` } });
    expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(await downloads()).toEqual([]);
    expect((await at.file(editor, url.pathname)).status).toBe(200);
    expect(await downloads()).toHaveLength(1);
  });

  test('of two downloads that overlap is complete', async () => {
    const id = await completed();
    const store = at.service.app.get(ExportStoreService);
    const file = randomBytes(3_500_000);
    async function* inParts(bytes: number, end = file.length): AsyncGenerator<Buffer> {
      for (let start = 0; start < end; start += bytes) yield file.subarray(start, start + bytes);
      if (end < file.length) throw new Error('the replica was killed');
    }
    const size = await store.write(id, inParts(700_001));
    await expect(store.write(id, inParts(300_007, 2_000_000))).rejects.toThrow('killed');
    const read: Buffer[] = [];
    for await (const part of store.read(id, size)) read.push(part);
    expect(Buffer.concat(read).equals(file)).toBe(true);
  });

  test('that was written after the end of its export is deleted', async () => {
    const id = await completed();
    await at.service.database.query(`UPDATE report_exports SET status = 'cancelled' WHERE id = $1`, [id]);
    expect(await chunksOf(id)).toHaveLength(1);
    await at.service.app.get(ExportRunnerService).step(id, false);
    expect(await chunksOf(id)).toEqual([]);
  });

  test('is deleted after a day', async () => {
    const id = await completed();
    at.service.clock.advance(24 * 3600 + 1);
    editor = await at.service.as(person);
    admin = await at.service.asAdmin();
    expect(await editor.get(`/api/exports/${id}/file`)).toMatchObject({
      status: 410,
      body: { code: 'export_expired' },
    });
    await cleanUp();
    expect(await chunksOf(id)).toEqual([]);
    expect((await editor.get(`/api/exports/${id}`)).body).toMatchObject({ status: 'expired' });
    at.service.clock.advance(7 * 24 * 3600);
    await cleanUp();
    editor = await at.service.as(person);
    admin = await at.service.asAdmin();
    expect((await editor.get(`/api/exports/${id}`)).status).toBe(404);
  });

  test('is deleted on request', async () => {
    const id = await completed();
    expect((await editor.delete(`/api/exports/${id}`)).status).toBe(204);
    expect(await chunksOf(id)).toEqual([]);
    expect((await editor.get(`/api/exports/${id}/file`)).status).toBe(410);
    expect((await editor.delete(`/api/exports/${id}`)).status).toBe(204);
  });

  test('is kept when two steps complete the same export', async () => {
    await at.settings({ job_seconds: 600 });
    const { body } = await at.request(editor, await at.report('Pipeline'));
    await until(async () => {
      const [row] = await at.service.database.query<{ pbi_export_id: string | null }[]>(
        'SELECT pbi_export_id FROM report_exports WHERE id = $1',
        [body.id],
      );
      return row?.pbi_export_id ?? undefined;
    });
    await at.service.powerBi.post('/__emulator/clock', { advance_seconds: 601 });
    const runner = at.service.app.get(ExportRunnerService);
    await Promise.all([runner.step(body.id, false), runner.step(body.id, false)]);
    await at.settings({ job_seconds: 0 });
    const file = await at.file(editor, `/api/exports/${body.id}/file`);
    expect([file.status, file.text.slice(0, 4)]).toEqual([200, '%PDF']);
  });

  test('is erased with its person', async () => {
    const { user, client } = await at.asRole('Sales', 'editor');
    const { body } = await at.request(client, await at.report('Pipeline'));
    await at.reached(client, body.id, 'status', 'succeeded');
    await admin.patch(`/api/users/${user.id}`, { status: 'disabled' });
    expect((await admin.post(`/api/users/${user.id}/erase`)).status).toBe(204);
    const rows = await at.service.database.query('SELECT FROM report_exports WHERE id = $1', [body.id]);
    expect([rows, await chunksOf(body.id)]).toEqual([[], []]);
  });
});

describe('a large file', () => {
  /** More than the network buffers of a download that nobody reads. */
  const LARGE = 32 * 1024 * 1024;

  /** An export with a large file, and a function that begins to download it. */
  async function large() {
    const { user, client } = await at.asRole('Sales', 'editor');
    const { id } = (await at.request(client, await at.report('Pipeline'))).body;
    await at.reached(client, id, 'status', 'succeeded');
    async function* file(): AsyncGenerator<Buffer> {
      yield randomBytes(LARGE);
    }
    await at.service.app.get(ExportStoreService).write(id, file());
    await at.service.database.query('UPDATE report_exports SET size = $2 WHERE id = $1', [id, LARGE]);
    const download = () =>
      fetch(new URL(`/api/exports/${id}/file`, at.service.url), {
        headers: { authorization: `Bearer ${client.token}` },
      });
    return { user, download };
  }

  test('breaks off when its person may no longer see the report', async () => {
    const { user, download } = await large();
    expect((await (await download()).arrayBuffer()).byteLength).toBe(LARGE);
    const response = await download();
    expect(response.status).toBe(200);
    await admin.patch(`/api/users/${user.id}`, { status: 'disabled' });
    await expect(response.arrayBuffer()).rejects.toThrow('terminated');
  });

  test('is downloaded at most five times at once by one person', async () => {
    const { download } = await large();
    const open = await Promise.all(Array.from({ length: 5 }, download));
    expect(open.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const refused = await download();
    expect([refused.status, await refused.json()]).toMatchObject([429, { code: 'rate_limited' }]);
    await open[0]?.body?.cancel();
    await until(async () => {
      const { status, body } = await download();
      await body?.cancel();
      return status === 200;
    });
    for (const { body } of open.slice(1)) await body?.cancel();
  });
});

describe('a one-time link', () => {
  test('downloads the file once, without a bearer token', async () => {
    const id = await completed();
    const { status, body } = await editor.post<{ url: string }>(`/api/exports/${id}/tickets`);
    expect(status).toBe(201);
    const url = new URL(body.url, at.service.url);
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(404);
    const file = await at.file(at.service.api, body.url);
    expect([file.status, file.text.slice(0, 4)]).toEqual([200, '%PDF']);
    expect(await at.service.api.get(body.url)).toMatchObject({
      status: 404,
      body: { code: 'export_not_found' },
    });
  });

  test('replaces the oldest of five', async () => {
    const id = await completed();
    const urls: string[] = [];
    for (let count = 0; count < 6; count += 1) {
      at.service.clock.advance(1);
      urls.push((await editor.post<{ url: string }>(`/api/exports/${id}/tickets`)).body.url);
    }
    const [oldest = '', ...others] = urls;
    expect((await at.file(at.service.api, oldest)).status).toBe(404);
    for (const url of others) expect((await at.file(at.service.api, url)).status).toBe(200);
  });

  test('expires after a minute, and is not guessed', async () => {
    const id = await completed();
    const { body } = await editor.post<{ url: string }>(`/api/exports/${id}/tickets`);
    at.service.clock.advance(61);
    expect((await at.service.api.get(body.url)).status).toBe(404);
    expect((await at.service.api.get('/exports/file?ticket=x')).status).toBe(404);
    expect((await at.service.api.get('/exports/file?ticket=x&ticket=y')).status).toBeLessThan(500);
  });
});

describe('DELETE /api/exports/:id', () => {
  test('cancels an export that is running, which then has no file', async () => {
    await at.settings({ job_seconds: 600 });
    const { body } = await at.request(editor, await at.report('Pipeline'));
    await at.reached(editor, body.id, 'status', 'running');
    expect((await editor.delete(`/api/exports/${body.id}`)).status).toBe(204);
    await at.settings({ job_seconds: 0 });
    await at.service.waitForJobs();
    expect((await editor.get(`/api/exports/${body.id}`)).body).toMatchObject({
      status: 'cancelled',
      error: null,
    });
    expect(await editor.get(`/api/exports/${body.id}/file`)).toMatchObject({
      status: 409,
      body: { code: 'export_not_ready' },
    });
    const { body: audit } = await admin.get<{ audit_events: object[] }>(
      '/api/audit-events?action=report_export_cancelled',
    );
    expect(audit.audit_events[0]).toMatchObject({ details: { export_id: body.id, format: 'PDF' } });
  });
});

describe('the queue of a capacity', () => {
  test('starts exports in order, no more than allowed at once', async () => {
    await at.settings({ job_seconds: 600 });
    const report = await at.report('Pipeline');
    await at.forgetCalls();
    const [first, second] = [
      (await at.request(editor, report)).body,
      (await at.request(editor, report)).body,
    ];
    await at.reached(editor, first.id, 'status', 'running');
    await until(async () => (await at.exportCalls()).length === 1);
    expect((await editor.get(`/api/exports/${second.id}`)).body).toMatchObject({ status: 'queued' });
    await at.settings({ job_seconds: 0 });
    await at.service.powerBi.post('/__emulator/clock', { advance_seconds: 601 });
    await at.reached(editor, first.id, 'status', 'succeeded');
    await at.reached(editor, second.id, 'status', 'succeeded');
    expect(await at.exportCalls()).toHaveLength(2);
  });

  test('does not wait for an older export that cannot start', async () => {
    const broken = await at.report('Pipeline');
    await at.service.powerBi.post('/__emulator/faults', {
      path: `reports/${broken.pbiReportId}/ExportTo$`,
      status: 500,
    });
    const [first, second] = [
      (await at.request(editor, broken)).body.id,
      (await at.request(editor, broken)).body.id,
    ];
    await at.waiting(editor, first);
    await at.waiting(editor, second);
    const { body } = await at.request(editor, await at.report('Revenue overview'));
    await at.reached(editor, body.id, 'status', 'succeeded');
    for (const id of [first, second]) {
      const { status } = (await editor.get<{ status: string }>(`/api/exports/${id}`)).body;
      expect(['queued', 'running']).toContain(status);
      await editor.delete(`/api/exports/${id}`);
    }
    await at.clearFaults();
  });

  test('keeps the order before the first step of an older export', async () => {
    await at.settings({ job_seconds: 600 });
    const report = await at.report('Pipeline');
    const [first, second] = [
      (await at.request(editor, report)).body,
      (await at.request(editor, report)).body,
    ];
    await at.reached(editor, first.id, 'status', 'running');
    const query = at.service.database.query.bind(at.service.database);
    const [row] = await query<{ capacity: string }[]>('SELECT capacity FROM report_exports WHERE id = $1', [
      first.id,
    ]);
    await query("UPDATE report_exports SET status = 'queued', capacity = NULL WHERE id = $1", [first.id]);
    expect(await at.service.app.get(ExportStatesService).claim(second.id, row?.capacity ?? '')).toBe(false);
    await editor.delete(`/api/exports/${first.id}`);
    await editor.delete(`/api/exports/${second.id}`);
  });
});
