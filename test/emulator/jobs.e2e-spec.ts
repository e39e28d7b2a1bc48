import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

function later(seconds: number) {
  return emulator.control('POST', '/clock', { advance_seconds: seconds });
}

describe('exporting a report', () => {
  test('runs as a job whose file is available for a day', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    const path = `/groups/${groupId}/reports/${id}`;
    const started = await emulator.post<Export>(`${path}/ExportTo`, { format: 'PDF' });
    expect(started).toMatchObject({ status: 202, body: { status: 'NotStarted', reportName: 'Pipeline' } });
    const job = `${path}/exports/${encodeURIComponent(started.body.id)}`;
    expect((await emulator.get(`${job}/file`)).status).toBe(404);
    await later(50);
    const running = await emulator.get(job);
    expect(running).toMatchObject({ status: 202, body: { status: 'Running', percentComplete: 50 } });
    expect(running.headers.get('retry-after')).toBe('1');
    await later(50);
    const done = await emulator.get<Export>(job);
    expect(done).toMatchObject({
      status: 200,
      body: { status: 'Succeeded', percentComplete: 100, resourceFileExtension: '.pdf' },
    });
    expect(done.body.resourceLocation).toBe(`${emulator.url}/v1.0/myorg${job}/file`);
    expect((await emulator.get(`${job}/file`)).text).toMatch(/^Month,Region,Product/);
    await later(86_401);
    expect((await emulator.get(`${job}/file`)).status).toBe(404);
  });

  test('requires a format and, when the dataset does, an identity', async () => {
    const { id, groupId, datasetId } = await emulator.report('Sales', 'My customers');
    const path = `/groups/${groupId}/reports/${id}/ExportTo`;
    expect((await emulator.post(path, { format: 'GIF' })).status).toBe(400);
    expect((await emulator.post(path, { format: 'CSV' })).text).toContain('requires effective identity');
    const identities = [{ username: 'ada@vitrine.example', datasets: [datasetId] }];
    const body = { format: 'CSV', powerBIReportConfiguration: { identities } };
    const { body: job } = await emulator.post<Export>(path, body);
    await later(100);
    const file = await emulator.get(
      `/groups/${groupId}/reports/${id}/exports/${encodeURIComponent(job.id)}/file`,
    );
    expect(file.text).toContain(',ada@vitrine.example,');
    expect(file.text).not.toContain(',ben@vitrine.example,');
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

describe('refreshing a dataset', () => {
  test('is accepted without a body, and listed in the history', async () => {
    const group = await emulator.workspace('Sales');
    const { id } = await emulator.dataset('Sales', 'Sales');
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const started = await emulator.post(path, { notifyOption: 'NoNotification' });
    expect([started.status, started.text, started.headers.get('location')]).toEqual([202, '', null]);
    expect((await emulator.get(path)).body).toMatchObject({
      value: [{ refreshType: 'ViaApi', status: 'Unknown' }],
    });
    await later(100);
    expect((await emulator.get(`${path}?$top=1`)).body).toMatchObject({
      value: [{ status: 'Completed', endTime: expect.any(String) }],
    });
    expect((await emulator.get(`${path}?$top=0`)).status).toBe(400);
  });

  test('of the enhanced kind can be polled and cancelled', async () => {
    const group = await emulator.workspace('Sales');
    const { id } = await emulator.dataset('Sales', 'Sales');
    const path = `/groups/${group.id}/datasets/${id}/refreshes`;
    const { headers } = await emulator.post(path, { type: 'Full', commitMode: 'Transactional' });
    const refresh = `${path}/${headers.get('x-ms-request-id')}`;
    expect(headers.get('location')).toBe(`${emulator.url}/v1.0/myorg${refresh}`);
    await later(50);
    expect(await emulator.get(refresh)).toMatchObject({
      status: 202,
      body: { extendedStatus: 'InProgress' },
    });
    expect((await emulator.rest('DELETE', refresh)).status).toBe(200);
    expect(await emulator.get(refresh)).toMatchObject({ status: 200, body: { extendedStatus: 'Cancelled' } });
  });
});
