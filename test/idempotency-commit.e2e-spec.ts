import { afterEach, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type CutProxy, startCutProxy } from './support/cut-proxy.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { type Service, startService } from './support/service.js';

let service: Service | undefined;
let proxy: CutProxy | undefined;
let database: TestDatabase | undefined;

afterEach(async () => {
  await service?.close();
  await proxy?.close();
  await database?.drop();
});

test('DUR-13 a commit whose response is lost is resolved by the key', async () => {
  database = await createDatabase();
  const url = new URL(database.url);
  proxy = await startCutProxy({ host: url.hostname, port: Number(url.port) });
  url.port = String(proxy.port);
  service = await startService({ DATABASE_URL: url.href });
  const admin = await service.as(await service.factory.admin());
  const body = { email: `${randomUUID()}@example.com` };
  const header = { 'idempotency-key': randomUUID() };
  proxy.cutCommitOf(body.email);
  const lost = await admin.post('/api/users/invite', body, header);
  expect(lost.status).toBe(503);
  expect(lost.headers.get('retry-after')).not.toBeNull();
  const again = await admin.post('/api/users/invite', body, header);
  expect(again.status).toBe(201);
  expect(again.headers.get('idempotency-replayed')).toBe('true');
  expect(again.body).toMatchObject({ email: body.email, status: 'pending' });
  const rows = await service.database.query<object[]>('SELECT FROM invitations WHERE email = $1', [
    body.email,
  ]);
  expect(rows).toHaveLength(1);
});
