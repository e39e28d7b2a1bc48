import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { asOwner } from '../support/owner.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Health {
  status: string;
  checks: { jobs: { status: string; detail?: string } };
}
interface Line {
  msg?: string;
  failures?: number;
}

let service: Service;

beforeEach(async () => {
  service = await startService();
});
afterEach(async () => {
  jest.restoreAllMocks();
  await service.close();
});

test('while workers cannot fetch jobs, the health shows it and the log has two lines', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const log = jest.spyOn(Logger.prototype, 'log');
  const linesOf = (spy: typeof warn): Line[] =>
    spy.mock.calls.map(([line]) => line as Line).filter(({ msg }) => /queue/.test(msg ?? ''));
  const admin = await service.asAdmin();
  const health = async () => (await admin.get<Health>('/api/health')).body;
  expect((await health()).checks.jobs).toEqual({ status: 'ok' });
  const name = new URL(service.databaseUrl).pathname.slice(1);
  const reconnect = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await asOwner(service, `ALTER DATABASE ${name} SET default_transaction_read_only = on`, reconnect);
  const failing = await until(async () => {
    const seen = await health();
    return / [2-9]\d* s/.test(seen.checks?.jobs.detail ?? '') && seen;
  });
  expect(failing).toMatchObject({ status: 'degraded', checks: { jobs: { status: 'down' } } });
  const promote = `ALTER DATABASE ${name} RESET default_transaction_read_only`;
  await asOwner(service, 'SET default_transaction_read_only = off', promote, reconnect);
  await until(async () => (await health()).checks?.jobs.status === 'ok');
  expect(linesOf(warn)).toEqual([
    { msg: expect.stringContaining('check the database'), err: expect.anything() },
  ]);
  const [end, ...others] = linesOf(log);
  expect(others).toEqual([]);
  expect(end?.failures).toBeGreaterThan(20);
});
