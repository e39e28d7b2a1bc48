import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

const lists = ['/api/workspaces', '/api/reports', '/api/users', '/api/datasets', '/api/syncs'];

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

interface Workspaces {
  workspaces: { id: string; name: string }[];
}

describe.each(lists)('GET %s', (path) => {
  test.each([
    ['0', 'limit must not be less than 1'],
    ['1001', 'limit must not be greater than 1000'],
    ['1e3', 'digits only'],
    ['0x10', 'digits only'],
    ['-1', 'digits only'],
    ['1.5', 'digits only'],
    ['', 'digits only'],
    ['+1', 'digits only'],
    ['%201', 'digits only'],
    ['99999999999999999999', 'digits only'],
    ['1&limit=2', 'limit'],
  ])('400: limit=%s', async (limit, detail) => {
    const response = await admin.get(`${path}?limit=${limit}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(JSON.stringify(response.body.errors)).toContain(detail);
  });

  test.each([
    'offset=1',
    'limit[]=1',
    'limit[gt]=1',
    '__proto__[x]=1',
    '__proto__=1',
    'constructor=1',
    'toString=1',
    'Limit=1',
  ])('AZ-11 400: ?%s is named, with the supported parameters', async (query) => {
    const response = await admin.get(`${path}?${query}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(response.body.detail).toContain(query.split('=')[0]);
    expect(response.body.detail).toContain('limit');
  });

  test.each(['password', 'id', '--name', 'name,id', '', 'name&sort=name'])(
    'AZ-11 400: sort=%s',
    async (sort) => {
      const response = await admin.get(`${path}?sort=${sort}`);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
      expect(response.body.detail).toMatch(/must be one of|sort/);
    },
  );

  test('200: limit=1 and limit=1000', async () => {
    expect((await admin.get(`${path}?limit=1`)).status).toBe(200);
    expect((await admin.get(`${path}?limit=1000`)).status).toBe(200);
  });
});

describe('q', () => {
  const find = async (q: string): Promise<string[]> => {
    const { status, body } = await admin.get<Workspaces>(`/api/workspaces?q=${encodeURIComponent(q)}`);
    expect(status).toBe(200);
    return body.workspaces.map(({ name }) => name);
  };

  test('matches part of a name in any case, and wildcards literally', async () => {
    for (const name of ['Sales 100%', 'Sales_EMEA', 'Sales\\EU', 'SalesXEMEA', "O'Brien", 'Ünïted 日本'])
      await service.factory.workspace({ name });
    expect(await find('sales')).toHaveLength(4);
    expect(await find('%')).toEqual(['Sales 100%']);
    expect(await find('s_e')).toEqual(['Sales_EMEA']);
    expect(await find('\\')).toEqual(['Sales\\EU']);
    expect(await find('\\_')).toEqual([]);
    expect(await find("o'b")).toEqual(["O'Brien"]);
    expect(await find('日')).toEqual(['Ünïted 日本']);
    expect(await find('üNÏ')).toEqual(['Ünïted 日本']);
  });

  test.each([
    ['a NUL', '%00'],
    ['too much', 'x'.repeat(201)],
    ['two', 'a&q=b'],
  ])('400: %s', async (_name, q) => {
    const response = await admin.get(`/api/workspaces?q=${q}`);
    expect(response.body.detail).toContain('/q');
    expect(response.status).toBe(400);
  });

  test('matches everything when it is empty', async () => {
    expect((await find('')).length).toBeGreaterThan(0);
  });
});
