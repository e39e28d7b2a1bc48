import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { EmulatorClient, type Named } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

const john = { identifier: 'john@contoso.com', principalType: 'User', groupUserAccessRight: 'Viewer' };

describe('/groups/{id}/users', () => {
  test('lists, adds, changes and removes users', async () => {
    const { id } = await emulator.workspace('Sales');
    const path = `/groups/${id}/users`;
    const users = async () => (await emulator.get<{ value: object[] }>(path)).body.value;
    expect(await users()).toMatchObject([
      { principalType: 'App', groupUserAccessRight: 'Admin' },
      { identifier: 'dana@vitrine.example' },
    ]);
    expect((await emulator.post(path, john)).status).toBe(200);
    expect((await emulator.rest('PUT', path, { ...john, groupUserAccessRight: 'Member' })).status).toBe(200);
    expect((await users())[2]).toEqual({ ...john, groupUserAccessRight: 'Member' });
    expect((await emulator.rest('DELETE', `${path}/john@contoso.com`)).status).toBe(200);
    expect((await emulator.rest('DELETE', `${path}/john@contoso.com`)).status).toBe(404);
    expect((await emulator.rest('PUT', path, john)).status).toBe(404);
  });

  test('requires a principal type', async () => {
    const { id } = await emulator.workspace('Sales');
    const response = await emulator.post(`/groups/${id}/users`, { ...john, principalType: undefined });
    expect(response).toMatchObject({
      status: 400,
      body: { error: { message: 'Parameter userDetails.PrincipalType is missing or invalid' } },
    });
  });

  test('can be changed by admins only', async () => {
    const { id } = await emulator.workspace('Finance');
    expect((await emulator.post(`/groups/${id}/users`, john)).status).toBe(401);
    await emulator.set({ guesses: { manage_users_right: 'Member' } });
    expect((await emulator.post(`/groups/${id}/users`, john)).status).toBe(200);
  });
});

test('a workspace that a user creates has the user as its admin', async () => {
  const ada = await emulator.headerOf('ada');
  const { body } = await emulator.post<Named>('/groups', { name: 'Of Ada' }, ada);
  expect((await emulator.get(`/groups/${body.id}/users`, ada)).body.value).toEqual([
    expect.objectContaining({
      identifier: 'ada@vitrine.example',
      principalType: 'User',
      groupUserAccessRight: 'Admin',
    }),
  ]);
  expect((await emulator.get(`/groups/${body.id}`)).status).toBe(401);
});

describe('propagation', () => {
  test('hides a new workspace for a while', async () => {
    await emulator.set({ propagation_seconds: 900 });
    const { body } = await emulator.post<Named>('/groups', { name: 'Fresh' });
    expect((await emulator.get(`/groups/${body.id}`)).status).toBe(401);
    await emulator.advance(901);
    expect((await emulator.get(`/groups/${body.id}`)).status).toBe(200);
  });

  test('is shortened to two minutes by RefreshUserPermissions', async () => {
    await emulator.set({ propagation_seconds: 900 });
    const { body } = await emulator.post<Named>('/groups', { name: 'Fresh' });
    expect((await emulator.post('/RefreshUserPermissions')).status).toBe(200);
    expect((await emulator.get(`/groups/${body.id}`)).status).toBe(401);
    await emulator.advance(121);
    expect((await emulator.get(`/groups/${body.id}`)).status).toBe(200);
  });
});

describe('capacity', () => {
  test('can be assigned', async () => {
    const { id } = await emulator.workspace('Trials');
    const { body } = await emulator.get<{ value: Named[] }>('/capacities');
    const response = await emulator.post(`/groups/${id}/AssignToCapacity`, { capacityId: body.value[0]!.id });
    expect(response.status).toBe(200);
    expect((await emulator.get(`/groups/${id}`)).body).toMatchObject({ isOnDedicatedCapacity: true });
  });
});

describe('throttling', () => {
  test('is off by default, then returns 429 with Retry-After', async () => {
    await emulator.set({ throttle_per_minute: 3 });
    for (let call = 0; call < 3; call++) expect((await emulator.get('/groups')).status).toBe(200);
    const { status, headers, body, text } = await emulator.get('/groups');
    expect(status).toBe(429);
    expect(body).toEqual({
      message: expect.stringMatching(/^You have exceeded .* Retry in \d+ seconds\.$/),
    });
    expect(text).toContain('You have exceeded the amount of requests allowed in the current time frame');
    await emulator.advance(Number(headers.get('retry-after')));
    expect((await emulator.get('/groups')).status).toBe(200);
  });

  test('can start after a burst', async () => {
    await emulator.set({ throttle_per_minute: 2, throttle_burst: 3 });
    const statuses = [];
    for (let call = 0; call < 6; call++) statuses.push((await emulator.get('/groups')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    await emulator.advance(60);
    statuses.length = 0;
    for (let call = 0; call < 3; call++) statuses.push((await emulator.get('/groups')).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test('applies the published limits of single operations', async () => {
    await emulator.set({ documented_limits: true, entra_token_seconds: 86_400 });
    await emulator.signIn();
    const statuses = async (path: string, calls: number) => {
      const responses = [];
      for (let call = 0; call < calls; call++) responses.push((await emulator.get(path)).status);
      return responses;
    };
    expect((await statuses('/admin/groups?$top=1', 16)).slice(-2)).toEqual([200, 429]);
    for (let minute = 0; minute < 3; minute++) {
      await emulator.advance(60);
      await statuses('/admin/groups?$top=1', 15);
    }
    const limited = await emulator.get('/admin/groups?$top=1');
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(3000);
    expect((await emulator.post('/RefreshUserPermissions')).status).toBe(200);
    expect((await emulator.post('/RefreshUserPermissions')).status).toBe(429);
  });
});
