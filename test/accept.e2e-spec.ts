import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

const JSON_TYPE = 'application/json; charset=utf-8';
const CSV = 'text/csv; charset=utf-8';
const NDJSON = 'application/x-ndjson';
const lists = ['/api/audit-events', '/api/usage/overview', '/api/usage/reports', '/api/usage/unused'];

describe('C9 the media type that fits the header Accept best is sent', () => {
  test.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    ['text/csv', CSV],
    ['text/csv;charset=utf-8', CSV],
    ['text/csv ; charset="utf-8, or not" ; header=present', CSV],
    ['TEXT/CSV', CSV],
    ['text/*', CSV],
    ['text/html, text/*;q=0.5', CSV],
    ['application/x-ndjson;version=1', NDJSON],
    ['application/json;q=0.5, text/csv;q=0.9', CSV],
    ['text/csv;q=0.5, application/json', JSON_TYPE],
    ['text/csv, application/json', CSV],
    ['*/*, application/json;q=0', NDJSON],
    ['text/html, */*;q=0.1', JSON_TYPE],
  ])('%s: %s', async (accept, type) => {
    for (const path of lists) {
      const { status, headers } = await admin.get(path, { accept });
      expect([path, status, headers.get('content-type')]).toEqual([path, 200, type]);
    }
  });

  test.each(['text/html', 'text/csv;q=0', 'image/*', 'application/json;q=2', 'json', ';'])(
    '%s: 406, nothing fits',
    async (accept) => {
      for (const path of [...lists, '/api/access/review', '/api/events']) {
        expect(await admin.get(path, { accept })).toMatchObject({
          status: 406,
          body: { code: 'not_acceptable', detail: expect.stringContaining('application/json') },
        });
      }
    },
  );

  test('401 and 403 come before 406', async () => {
    const member = await service.as(await service.factory.user());
    expect((await service.api.get('/api/audit-events', { accept: 'image/png' })).status).toBe(401);
    expect((await member.get('/api/audit-events', { accept: 'image/png' })).status).toBe(403);
  });

  test('the stream of events, too, ignores parameters', async () => {
    const stop = new AbortController();
    const { headers } = await fetch(`${service.url}/api/events`, {
      headers: { authorization: `Bearer ${admin.token}`, accept: 'text/event-stream;charset=utf-8' },
      signal: stop.signal,
    });
    expect(headers.get('content-type')).toBe('text/event-stream');
    stop.abort();
  });
});
