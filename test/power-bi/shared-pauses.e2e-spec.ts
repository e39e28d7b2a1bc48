import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PowerBiService } from '../../src/power-bi/power-bi.service.js';
import type { Client } from '../support/client.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { callsTo } from '../support/syncing.js';

let service: Service;
let replica: InProcessReplica;
let admin: Client;
let revenue: string;

beforeEach(async () => {
  service = await startService();
  replica = await startInProcessReplica(service);
  await service.sync();
  admin = await service.asAdmin();
  const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports?q=revenue');
  revenue = body.reports[0]!.id;
  // Whatever was looked up during the sync is old.
  service.clock.advance(5);
});
afterEach(async () => {
  await replica.close();
  await service.close();
});

const embed = (api: Client) => api.post(`/api/reports/${revenue}/embed-token`);
const asked = async () => (await callsTo(service, /GenerateToken/)).length;
const fault = (fields: object) =>
  service.powerBi.post('/__emulator/faults', { path: 'GenerateToken', ...fields });

describe('OUT-04 throttling that one replica learns of', () => {
  test('is respected by all replicas, and ends for all at the same time', async () => {
    await fault({ retry_after: 120, times: 1 });
    expect(await embed(admin)).toMatchObject({ status: 503, body: { code: 'power_bi_throttled' } });
    const there = await embed(replica.as(admin));
    expect(there).toMatchObject({ status: 503, body: { code: 'power_bi_throttled' } });
    expect(Number(there.headers.get('retry-after'))).toBeGreaterThan(100);
    expect(await asked()).toBe(1);
    service.clock.advance(121);
    expect((await embed(replica.as(admin))).status).toBe(200);
    expect((await embed(admin)).status).toBe(200);
  });

  test('is not shortened by a later, shorter one', async () => {
    const until = new Date(service.clock.now().getTime() + 600_000);
    await service.database.query(`INSERT INTO power_bi_pauses VALUES ('power_bi', $1, 429)`, [until]);
    await service.database.query(`INSERT INTO power_bi_pauses AS held VALUES ('power_bi', now(), 429)
      ON CONFLICT (scope) DO UPDATE SET until = excluded.until WHERE held.until < excluded.until`);
    for (const api of [admin, replica.as(admin)]) expect((await embed(api)).status).toBe(503);
    expect(await asked()).toBe(0);
  });

  test('of a replica whose clock was ahead ends when the clock is right', async () => {
    service.clock.advance(7200);
    await fault({ retry_after: 30, times: 1 });
    expect((await embed(await service.asAdmin())).status).toBe(503);
    service.clock.advance(-7200);
    service.clock.advance(31);
    for (const api of [admin, replica.as(admin)]) expect((await embed(api)).status).toBe(200);
    service.clock.advance(7200);
    const later = await service.asAdmin();
    for (const api of [later, replica.as(later)]) expect((await embed(api)).status).toBe(200);
  });

  test('costs at most one query per second while there is none', async () => {
    const looks = async () => {
      const [{ scans }] = await service.database.query(
        `SELECT seq_scan + coalesce(idx_scan, 0) AS scans FROM pg_stat_user_tables WHERE relname = 'power_bi_pauses'`,
      );
      return Number(scans);
    };
    const before = await looks();
    const powerBi = service.app.get(PowerBiService);
    await service.clock.frozen(async () => {
      for (let n = 0; n < 50; n += 1) await powerBi.listWorkspaces();
    });
    expect((await looks()) - before).toBeLessThan(10);
  });

  test('is respected by that replica alone when the table cannot be read', async () => {
    await service.database.query('ALTER TABLE power_bi_pauses RENAME TO away');
    await fault({ retry_after: 120, times: 1 });
    expect((await embed(admin)).status).toBe(503);
    expect((await embed(admin)).status).toBe(503);
    expect(await asked()).toBe(1);
    expect((await embed(replica.as(admin))).status).toBe(200);
  });
});

describe('the rate limit of admin calls', () => {
  test('is shared by all replicas', async () => {
    const list = async (powerBi: PowerBiService): Promise<void> => {
      const found = powerBi.admin.list()[Symbol.asyncIterator]();
      while (!(await found.next()).done);
    };
    for (let n = 0; n < 15; n += 1) await list((n % 2 === 0 ? service : replica).app.get(PowerBiService));
    // A replica looks once a second.
    service.clock.advance(2);
    // Fifteen in a minute, whoever made them: the sixteenth is not made.
    for (const { app } of [service, replica]) {
      await expect(list(app.get(PowerBiService))).rejects.toMatchObject({ code: 'power_bi_throttled' });
    }
    expect(await callsTo(service, /admin\/groups/)).toHaveLength(15);
    service.clock.advance(61);
    await list(replica.app.get(PowerBiService));
  });
});
