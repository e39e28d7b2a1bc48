import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PowerBi } from '../../src/power-bi/power-bi.service.js';
import { FakeTime } from '../power-bi/fake-time.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { callsTo } from '../support/syncing.js';
import { until } from '../support/until.js';

let time: FakeTime;
let service: Service;
let admin: Client;
let reports: string[];

beforeEach(async () => {
  time = new FakeTime();
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' }, (testing, config) => {
    testing.overrideProvider(PowerBi).useValue(new PowerBi(config.powerBi, { timing: time }));
  });
  await service.sync();
  admin = await service.asAdmin();
  const { body } = await admin.get<{ reports: { id: string; name: string }[] }>('/api/reports');
  reports = body.reports.filter(({ name }) => !name.startsWith('My ')).map(({ id }) => id);
});
afterEach(async () => {
  await service.close();
  time.end();
});

const embed = (n: number) => admin.post(`/api/reports/${reports[n % reports.length]}/embed-token`);
const lists = ['/api/workspaces', '/api/reports', '/api/datasets', '/api/syncs'];

describe('OUT-13 an hour without Power BI', () => {
  test('lists answer, embedding says when to come back, and all is well 15 s after its end', async () => {
    await service.powerBi.post('/__emulator/faults', { path: 'v1.0', status: 503 });
    await service.powerBi.delete('/__emulator/calls');
    const asks = 700;
    for (let n = 0; n < asks; n += 1) {
      time.advance(5);
      const answer = await embed(n);
      expect(answer).toMatchObject({ status: 503, body: { code: 'power_bi_unavailable' } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      if (n % 50 > 0) continue;
      for (const path of lists) expect((await admin.get(path)).status).toBe(200);
      expect((await service.api.get('/readyz')).status).toBe(200);
    }
    expect((await callsTo(service, /GenerateToken/)).length).toBeLessThanOrEqual(asks * 1.1);
    await service.powerBi.delete('/__emulator/faults');
    time.advance(15);
    const revenue = (await admin.get<{ reports: { id: string }[] }>('/api/reports?q=revenue')).body
      .reports[0]!;
    const path = `/api/reports/${revenue.id}/embed-token`;
    await until(async () => (await admin.post(path)).status === 200);
  }, 120_000);

  test('a sync meanwhile fails and removes nothing, the next brings everything up to date', async () => {
    const before = (await admin.get('/api/reports')).body;
    await service.powerBi.post('/__emulator/faults', { path: 'v1.0', status: 500 });
    const { id } = (await admin.post<{ id: string }>('/api/syncs')).body;
    const failed = await until(async () => {
      time.advance(1);
      const { body } = await admin.get<{ status: string; finished_at: string | null }>(`/api/syncs/${id}`);
      return body.finished_at !== null && body;
      // The bound is in the time that this moves on.
    }, 1200);
    expect(failed.status).toBe('failed');
    expect((await admin.get('/api/reports')).body).toEqual(before);
  });
});
