import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient } from '../support/emulator-client.js';

interface Export {
  id: string;
  resourceLocation: string;
}

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(async () => {
  await emulator.reset();
  await emulator.set({ job_seconds: 100, entra_token_seconds: 1_000_000 });
  await emulator.signIn();
});
afterAll(() => emulator.close());

/** A job after half of its time. Real time passes, too. */
function expectHalf({ status, body }: { status: number; body: unknown }): void {
  expect({ status, body }).toMatchObject({ status: 202, body: { status: 'Running' } });
  const { percentComplete } = body as { percentComplete: number };
  expect(percentComplete).toBeGreaterThanOrEqual(50);
  expect(percentComplete).toBeLessThan(80);
}

describe('exporting a report', () => {
  test('runs as a job whose file is available for a day', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    const path = `/groups/${groupId}/reports/${id}`;
    const started = await emulator.post<Export>(`${path}/ExportTo`, { format: 'PDF' });
    expect(started).toMatchObject({ status: 202, body: { status: 'NotStarted', reportName: 'Pipeline' } });
    const job = `${path}/exports/${encodeURIComponent(started.body.id)}`;
    expect((await emulator.get(`${job}/file`)).status).toBe(404);
    await emulator.advance(50);
    const running = await emulator.get(job);
    expectHalf(running);
    expect(running.headers.get('retry-after')).toBe('1');
    await emulator.advance(50);
    const done = await emulator.get<Export>(job);
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'Succeeded', percentComplete: 100, resourceFileExtension: '.pdf' },
    });
    expect(done.body.resourceLocation).toBe(`${emulator.url}/v1.0/myorg${job}/file`);
    const { text } = await emulator.get(`${job}/file`);
    expect(text).toMatch(/^%PDF/);
    expect(text).toContain('Pages: ReportSection');
    expect(text).toContain('Effective identity: none');
    await emulator.advance(86_401);
    expect((await emulator.get(`${job}/file`)).status).toBe(404);
  });

  test('requires a format and, when the dataset does, an identity', async () => {
    const { id, groupId, datasetId } = await emulator.report('Sales', 'My customers');
    const path = `/groups/${groupId}/reports/${id}/ExportTo`;
    expect((await emulator.post(path, { format: 'GIF' })).status).toBe(400);
    expect((await emulator.post(path, { format: 'PDF' })).text).toContain('requires effective identity');
    const identities = [{ username: 'ada@vitrine.example', datasets: [datasetId] }];
    const body = { format: 'PDF', powerBIReportConfiguration: { identities } };
    const { body: job } = await emulator.post<Export>(path, body);
    await emulator.advance(100);
    const file = await emulator.get(
      `/groups/${groupId}/reports/${id}/exports/${encodeURIComponent(job.id)}/file`,
    );
    expect(file.text).toContain('Effective identity: ada@vitrine.example');
    expect(file.text).toContain(',ada@vitrine.example,');
    expect(file.text).not.toContain(',ben@vitrine.example,');
  });

  test('fails with a role that the model does not define', async () => {
    const { id, groupId, datasetId } = await emulator.report('Sales', 'My region');
    const path = `/groups/${groupId}/reports/${id}`;
    const identities = [{ username: 'ada@vitrine.example', roles: ['Nowhere'], datasets: [datasetId] }];
    const body = { format: 'PDF', powerBIReportConfiguration: { identities } };
    const started = await emulator.post<Export>(`${path}/ExportTo`, body);
    expect(started.status).toBe(202);
    await emulator.advance(100);
    const job = `${path}/exports/${encodeURIComponent(started.body.id)}`;
    expect((await emulator.get(job)).body).toMatchObject({
      status: 'Failed',
      error: { code: 'QueryUserError', message: expect.stringContaining('Nowhere') },
    });
    expect((await emulator.get(`${job}/file`)).status).toBe(404);
  });

  test('accepts the formats of its type, its own pages and at most 50 of them', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    const start = (body: object) => emulator.post(`/groups/${groupId}/reports/${id}/ExportTo`, body);
    expect((await start({ format: 'XLSX' })).text).toContain('not supported for Power BI reports');
    const withPages = (names: string[]) => ({
      format: 'PNG',
      powerBIReportConfiguration: { pages: names.map((pageName) => ({ pageName })) },
    });
    expect((await start(withPages(['Missing']))).text).toContain('no page Missing');
    const many = Array.from({ length: 51 }, () => 'ReportSection');
    expect((await start(withPages(many))).text).toContain('limit of 50');
    expect((await start(withPages(many.slice(1)))).status).toBe(202);
    const paginated = await emulator.report('Finance', 'Month-end statement');
    const path = `/groups/${paginated.groupId}/reports/${paginated.id}/ExportTo`;
    expect((await emulator.post(path, { format: 'PNG' })).status).toBe(400);
    expect((await emulator.post(path, { format: 'XLSX' })).status).toBe(202);
  });

  test('waits for room on the capacity, which refuses too many exports', async () => {
    await emulator.set({ export_pages_per_capacity: 2, exports_per_capacity: 2, export_retry_seconds: 7 });
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    const path = `/groups/${groupId}/reports/${id}`;
    const body = {
      format: 'PDF',
      powerBIReportConfiguration: { pages: [1, 2].map(() => ({ pageName: 'ReportSection' })) },
    };
    await emulator.post(`${path}/ExportTo`, body);
    const { body: second } = await emulator.post<Export>(`${path}/ExportTo`, body);
    const third = await emulator.post(`${path}/ExportTo`, body);
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '7']);
    const read = () => emulator.get(`${path}/exports/${encodeURIComponent(second.id)}`);
    await emulator.advance(80);
    expect((await read()).body).toMatchObject({ status: 'NotStarted', percentComplete: 0 });
    await emulator.advance(70);
    expectHalf(await read());
  });

  test('fails with a sensitivity label, and needs a capacity', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    await emulator.control('POST', '/labels', { report_id: id, label: 'Confidential' });
    const path = `/groups/${groupId}/reports/${id}`;
    const { body } = await emulator.post<Export>(`${path}/ExportTo`, { format: 'PDF' });
    await emulator.advance(100);
    const failed = await emulator.get(`${path}/exports/${encodeURIComponent(body.id)}`);
    expect(failed.body).toMatchObject({
      status: 'Failed',
      error: { code: 'SensitivityLabelNotSupported' },
    });
    const trial = await emulator.report('Trials', 'Trial dashboard');
    const started = await emulator.post(`/groups/${trial.groupId}/reports/${trial.id}/ExportTo`, {
      format: 'PDF',
    });
    expect([started.status, started.text]).toEqual([403, expect.stringContaining('capacity')]);
  });

  test('can be redirected to another cluster', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    const path = `/v1.0/myorg/groups/${groupId}/reports/${id}/ExportTo`;
    const url = `${emulator.url}${path}?preferClientRouting=true`;
    const { body } = await emulator.askEntra();
    const headers = { Authorization: `Bearer ${body.access_token}`, 'Content-Type': 'application/json' };
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: '{"format":"PDF"}',
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([307, emulator.url + path]);
  });
});
