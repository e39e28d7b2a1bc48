import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { createDatabase, type TestDatabase } from './support/database.js';
import { type Line, lineTo } from './support/line.js';
import { until } from './support/until.js';

describe('500', () => {
  let service: Service;
  let admin: Client;

  beforeEach(async () => {
    service = await startService();
    admin = await service.asAdmin();
  });
  afterEach(() => service.close());

  test('tells nothing but the request id, under which the log has the rest', async () => {
    await service.database.query('DROP TABLE reports');
    const { status, headers, body } = await admin.get('/api/reports');
    expect(status).toBe(500);
    expect(body).toEqual({
      type: 'urn:vitrine:problem:internal_error',
      title: 'Something went wrong here',
      status: 500,
      detail: 'The failure was logged under the request id.',
      instance: '/api/reports',
      code: 'internal_error',
      request_id: headers.get('x-request-id'),
    });
  });

  test('leaves the rest of the service as it was', async () => {
    await service.database.query('DROP TABLE reports');
    expect((await admin.get('/api/reports')).status).toBe(500);
    expect((await admin.get('/api/workspaces')).status).toBe(200);
  });
});

describe('503', () => {
  let database: TestDatabase;
  let line: Line;
  let service: Service;

  beforeEach(async () => {
    database = await createDatabase();
    line = await lineTo(database.url);
    service = await startService({ DATABASE_URL: line.url });
  });
  afterEach(async () => {
    await service.close();
    await line.cut();
    await database.drop();
  });

  test('ERR-08 while the database is away, and all is well when it is back', async () => {
    const admin = await service.asAdmin();
    await line.cut();
    const answer = await admin.get('/api/workspaces');
    expect(answer).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(answer.headers.get('retry-after')).toBe('2');
    expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|vitrine_test/);
    expect((await service.api.get('/readyz')).status).toBe(503);
    expect((await service.api.get('/livez')).status).toBe(200);
    await line.mend();
    await until(async () => (await admin.get('/api/workspaces')).status === 200);
    await until(async () => (await service.api.get('/readyz')).status === 200);
  });
});
