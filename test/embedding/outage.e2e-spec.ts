import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PowerBiService } from '../../src/power-bi/power-bi.service.js';
import { FakeTime } from '../power-bi/fake-time.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { callsTo } from '../support/syncing.js';
import { isFull } from '../support/test-size.js';
import { until } from '../support/until.js';

let time: FakeTime;
let service: Service;
let admin: Client;
let reports: string[];

beforeEach(async () => {
  time = new FakeTime();
  service = await startService({ EMBED_TOKEN_MINIMUM_MINUTES: '1' }, (testing, config) => {
    testing.overrideProvider(PowerBiService).useValue(new PowerBiService(config.powerBi, { timing: time }));
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
  test('lists are served, embedding returns Retry-After, and embedding works 15 s after the end', async () => {
    await service.powerBi.post('/__emulator/faults', { path: 'v1.0', status: 503 });
    await service.powerBi.delete('/__emulator/calls');
    const asks = isFull ? 700 : 140;
    for (let n = 0; n < asks; n += 1) {
      time.advance(3500 / asks);
      const response = await embed(n);
      expect(response).toMatchObject({ status: 503, body: { code: 'power_bi_unavailable' } });
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
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
  });

  test('OUT-14 admins see the age of the lists, and no token is returned shortly before its expiry', async () => {
    const revenue = (await admin.get<{ reports: { id: string }[] }>('/api/reports?q=revenue')).body
      .reports[0]!;
    const path = `/api/reports/${revenue.id}/embed-token`;
    const viewer = await service.as(await service.factory.user());
    const token = async () => (await admin.post<{ token: string; expires_in: number }>(path)).body;
    const first = await token();
    const before = await Promise.all(lists.map((list) => admin.get(list)));
    await service.powerBi.post('/__emulator/faults', { path: 'v1.0', status: 503 });
    for (let n = 1; n < 30; n += 1) {
      time.advance(5);
      await embed(n);
    }
    for (const asker of [admin, viewer]) {
      const { body } = await asker.get('/api/health');
      expect(body).toMatchObject({ status: 'degraded', checks: { power_bi: { status: 'down' } } });
    }
    expect(await Promise.all(lists.map(async (list) => (await admin.get(list)).body))).toEqual(
      before.map(({ body }) => body),
    );
    expect(before.at(-1)?.body).toMatchObject({
      syncs: [{ status: 'succeeded', finished_at: expect.any(String) }],
    });
    service.clock.advance((await token()).expires_in - 350);
    expect(await token()).toMatchObject({ token: first.token });
    service.clock.advance(60);
    expect(await admin.post(path)).toMatchObject({ status: 503, body: { code: 'power_bi_unavailable' } });
  });

  test('a sync fails without removing anything, and the next one updates everything', async () => {
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
