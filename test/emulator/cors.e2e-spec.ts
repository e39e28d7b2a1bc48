import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { demoTenant } from '../../packages/power-bi-emulator/demo-tenant.js';
import { EmulatorClient } from '../support/emulator-client.js';

const origin = { Origin: 'https://portal.example' };
const token = `/${demoTenant.tenantId}/oauth2/v2.0/token`;

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
afterAll(() => emulator.close());

test.each([
  ['/v1.0/myorg/groups', 'GET'],
  ['/v1.0/myorg/GenerateToken', 'POST'],
  ['/v1.0/myorg/gateways', 'GET'],
  [token, 'POST'],
])('a preflight of %s is accepted, and is not a call', async (path, method) => {
  const before = await emulator.control<{ calls: object[] }>('GET', '/calls');
  const { status, headers } = await emulator.send('OPTIONS', path, undefined, {
    ...origin,
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization,content-type',
  });
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*']);
  expect(headers.get('access-control-allow-methods')).toBe(method);
  expect(headers.get('access-control-allow-headers')).toBe('authorization,content-type');
  expect(await emulator.control<{ calls: object[] }>('GET', '/calls')).toMatchObject({ body: before.body });
});

test('a page of another origin can read responses, errors and RequestId', async () => {
  const found = await emulator.get('/groups', origin);
  expect(found.headers.get('access-control-allow-origin')).toBe('*');
  expect(found.headers.get('access-control-expose-headers')).toContain('RequestId');
  const refused = await emulator.get('/groups', { ...origin, Authorization: 'Bearer x' });
  expect([refused.status, refused.headers.get('access-control-allow-origin')]).toEqual([403, '*']);
  const { headers } = await emulator.send('POST', token, new URLSearchParams(), origin);
  expect(headers.get('access-control-allow-origin')).toBe('*');
});

test('a request without an origin has no such header, nor has the control API', async () => {
  expect((await emulator.get('/groups')).headers.get('access-control-allow-origin')).toBeNull();
  const control = await emulator.send('GET', '/__emulator', undefined, origin);
  expect(control.headers.get('access-control-allow-origin')).toBeNull();
});
