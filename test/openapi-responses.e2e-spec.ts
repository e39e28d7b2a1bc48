import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { responseHeaders } from '../src/openapi-responses.js';
import type { Client } from './support/client.js';
import { type DescribedOperation, operations, schemaErrors } from './support/openapi-operations.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  await service.sync();
  admin = await service.asAdmin();
  await admin.post('/api/users/invite', { email: 'ada@example.com' });
});
afterAll(() => service.close());

const declaredIn = ({ responses }: DescribedOperation): string[] =>
  Object.keys(responses['200']?.headers ?? {});
const sentIn = (headers: Headers): string[] =>
  Object.keys(responseHeaders).filter((name) => headers.has(name));

describe('responses', () => {
  // A review is a stream of lines, which `test/access/review.e2e-spec.ts` reads.
  const plain = operations.filter(({ method, path }) => method === 'GET' && !/\{|explain|review/.test(path));

  test.each(plain)('of GET $path match the schema and have the declared headers', async (operation) => {
    const { status, headers, body } = await admin.get(operation.path);
    expect(status).toBe(200);
    const schema = operation.responses['200']?.content?.['application/json']?.schema as { $ref: string };
    expect(schemaErrors(schema, body)).toBeNull();
    const [sent, declared] = [sentIn(headers), declaredIn(operation)];
    expect(declared).toEqual(expect.arrayContaining(sent));
    expect(sent.includes('ETag')).toBe(declared.includes('ETag'));
    if (!sent.includes('ETag')) return;
    const again = await admin.get(operation.path, { 'If-None-Match': headers.get('etag') ?? '' });
    // What changes with each request has a new version.
    expect(again.status === 200 || '304' in operation.responses).toBe(true);
  });

  test.each([
    ['/api/events', '?limit=1', 'Link'],
    ['/api/users/me/export', '', 'Content-Disposition'],
    ['/api/users/{id}/export', '', 'Content-Disposition'],
  ])('of GET %s%s have the declared header %s', async (path, query, header) => {
    const { id } = await service.factory.user();
    const { headers } = await admin.get(path.replace('{id}', id) + query);
    expect(sentIn(headers)).toContain(header);
    const described = operations.find((each) => each.method === 'GET' && each.path === path);
    const declared = declaredIn(described as DescribedOperation);
    expect(declared).toEqual(expect.arrayContaining(sentIn(headers)));
  });

  test('with problems match the schema', async () => {
    const schema = { $ref: '#/components/schemas/ProblemDto' };
    for (const path of ['/api/workspaces/7', '/api/nowhere', '/api/users?x=1']) {
      expect(schemaErrors(schema, (await admin.get(path)).body)).toBeNull();
    }
  });
});
