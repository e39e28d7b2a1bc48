import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Client } from '../support/client.js';
import { operations, schemaNamed } from '../support/openapi-operations.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

const errorsOf = async (method: string, path: string, body: unknown) =>
  (await admin.send<{ errors?: object[] }>(method, path, { body })).body.errors;

describe('C16 a required member that is missing', () => {
  test.each([
    ['POST', '/api/users/invite', {}, ['email']],
    ['POST', '/api/auth/token', {}, ['email', 'password']],
    ['POST', '/api/groups', {}, ['name']],
    ['PUT', `/api/workspaces/${uuidv7()}/members/${uuidv7()}`, {}, ['role']],
    ['POST', '/api/service-accounts', {}, ['name']],
  ])('%s %s: "email is required"', async (method, path, body, names) => {
    const errors = names.map((name) => ({ pointer: `/${name}`, detail: `${name} is required` }));
    expect(await errorsOf(method, path, body)).toEqual(errors);
  });

  test('in a list, with its place', async () => {
    const body = { email: 'ada@example.com', workspaces: [{ role: 'viewer' }] };
    expect(await errorsOf('POST', '/api/users/invite', body)).toEqual([
      { pointer: '/workspaces/0/workspace_id', detail: 'workspace_id is required' },
    ]);
  });

  test('null is not missing: the message names the kind of value', async () => {
    expect(await errorsOf('POST', '/api/users/invite', { email: null })).toEqual([
      { pointer: '/email', detail: 'email must be a single email address' },
    ]);
  });

  test('is named for every operation whose body has required members', async () => {
    const found: [string, object[] | undefined, string[]][] = [];
    for (const { method, path, requestBody } of operations) {
      const schema = requestBody?.content['application/json']?.schema;
      const { required = [] } =
        schema?.$ref === undefined ? {} : (schemaNamed(schema) as { required?: string[] });
      // Discriminated bodies and uploads have other messages.
      if (required.length === 0 || path.startsWith('/scim')) continue;
      const here = path.replaceAll(/\{[^}]+\}/g, uuidv7());
      found.push([`${method} ${path}`, await errorsOf(method, here, {}), required]);
    }
    expect(found.length).toBeGreaterThan(10);
    for (const [operation, errors, required] of found) {
      expect([operation, errors]).toEqual([
        operation,
        expect.arrayContaining(
          required.map((name) => ({ pointer: `/${name}`, detail: `${name} is required` })),
        ),
      ]);
    }
  });
});
