import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { startChange } from '../support/row-lock.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const another = 'plum harbour violet thirteen';

let service: Service;
let admin: Client;
let ada: User;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());
beforeEach(async () => {
  ada = await service.factory.user();
});

const token = (body: object) => service.api.post<Tokens>('/api/auth/token', body);
const signIn = () => token({ email: ada.email, password });
const open = ({ id }: { id: string } = ada) =>
  service.database.query<{ id: string }[]>(
    'SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL',
    [id],
  );

/** Whatever of it was given out is of no use. */
async function expectDead({ status, body }: Awaited<ReturnType<typeof signIn>>): Promise<void> {
  expect([200, 401]).toContain(status);
  if (status !== 200) return;
  expect((await new Client(service.url, body.access_token).get('/api/users/me')).status).toBe(401);
  const { refresh_token } = body;
  expect((await token({ grant_type: 'refresh_token', refresh_token })).status).toBe(401);
}

test('RACE-04 no session survives concurrent sign-ins and disabling', async () => {
  for (let round = 0; round < 5; round += 1) {
    const [disabled, ...signIns] = await Promise.all([
      admin.patch(`/api/users/${ada.id}`, { status: 'disabled' }),
      ...Array.from({ length: 4 }, signIn),
    ]);
    expect(disabled.status).toBe(200);
    expect(await open()).toEqual([]);
    for (const response of signIns) await expectDead(response);
    ada = await service.factory.user();
  }
});

test('RACE-04 only the session that changed the password survives concurrent sign-ins with the old one', async () => {
  for (let round = 0; round < 3; round += 1) {
    const own = new Client(service.url, (await signIn()).body.access_token);
    const change = { current_password: password, new_password: another };
    const [changed, ...signIns] = await Promise.all([
      own.put('/api/users/me/password', change),
      ...Array.from({ length: 4 }, signIn),
    ]);
    expect(changed.status).toBe(204);
    expect(await open()).toHaveLength(1);
    for (const response of signIns) await expectDead(response);
    expect((await own.get('/api/users/me')).status).toBe(200);
    ada = await service.factory.user();
  }
});

test('RACE-04 no session survives concurrent refreshes and disabling', async () => {
  const sessions = await Promise.all(Array.from({ length: 4 }, signIn));
  const refreshes = sessions.map(({ body: { refresh_token } }) =>
    token({ grant_type: 'refresh_token', refresh_token }),
  );
  const disabling = admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
  for (const response of await Promise.all(refreshes)) expect([200, 401]).toContain(response.status);
  expect((await disabling).status).toBe(200);
  expect(await open()).toEqual([]);
});

test('RACE-04 no session survives the revocation of a secret for which its sign-in waits', async () => {
  const { body: account } = await admin.post<{ id: string; client_secret: string }>('/api/service-accounts', {
    name: 'Nightly',
  });
  const { waiting, commit } = await startChange(
    service.databaseUrl,
    `WITH revoked AS (DELETE FROM service_account_secrets WHERE user_id = $1)
     SELECT FROM users WHERE id = $1 FOR UPDATE`,
    [account.id],
  );
  const { id: client_id, client_secret } = account;
  const response = token({ grant_type: 'client_credentials', client_id, client_secret });
  await until(async () => (await waiting()) > 0);
  await commit();
  expect(await response).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } });
  expect(await open(account)).toEqual([]);
});
