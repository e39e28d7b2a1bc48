import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

const another = 'violet lamp drinks tea';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const signIn = (email: string, given: string) =>
  service.api.post<Record<string, string>>('/api/auth/token', { email, password: given });

const change = (api: Client, new_password = another, current_password = password) =>
  api.put('/api/users/me/password', { current_password, new_password });

describe('PUT /api/users/me/password', () => {
  test('AUTH-22 204: the new password signs in, the old one does not', async () => {
    const ada = await service.factory.user();
    expect((await change(await service.as(ada))).status).toBe(204);
    expect((await signIn(ada.email, another)).status).toBe(200);
    expect((await signIn(ada.email, password)).status).toBe(401);
  });

  test('AUTH-22 204: every other session ends, the current one continues', async () => {
    const ada = await service.factory.user();
    const other = await signIn(ada.email, password);
    const here = await service.as(ada);
    expect((await change(here)).status).toBe(204);
    expect((await here.get('/api/users/me')).status).toBe(200);
    const elsewhere = new Client(service.url, other.body.access_token);
    expect((await elsewhere.get('/api/users/me')).status).toBe(401);
    const refresh = { grant_type: 'refresh_token', refresh_token: other.body.refresh_token };
    expect((await service.api.post('/api/auth/token', refresh)).status).toBe(401);
  });

  test('AUTH-22 204: the user is notified by email, without any secret', async () => {
    const ada = await service.factory.user();
    await change(await service.as(ada));
    const mail = await service.mailbox.mailTo(ada.email);
    expect(mail.subject).toBe('Your password was changed');
    expect(`${mail.text} ${mail.html}`).not.toMatch(/token=|violet lamp/);
  });

  test('OBS-01 204: the change is in the audit trail', async () => {
    const ada = await service.factory.user();
    await change(await service.as(ada));
    const rows = await service.database.query<object[]>(
      `SELECT actor_id, target_id, outcome FROM audit_events WHERE action = 'password_changed' AND actor_id = $1`,
      [ada.id],
    );
    expect(rows).toEqual([{ actor_id: ada.id, target_id: ada.id, outcome: 'allowed' }]);
  });

  test('AUTH-22 400: a wrong current password, with the same limits as sign-in', async () => {
    const ada = await service.factory.user();
    const api = await service.as(ada);
    for (let count = 0; count < 5; count += 1) {
      const response = await change(api, another, 'not the right one');
      expect(response).toMatchObject({ status: 400, body: { code: 'wrong_password' } });
    }
    expect((await change(api)).status).toBe(429);
    expect((await signIn(ada.email, password)).status).toBe(429);
    expect((await api.get('/api/users/me')).status).toBe(200);
  });

  test.each(['too short', 'password1234567', 'x'.repeat(129), 'vitrine-vitrine-1'])(
    'AUTH-06 AUTH-10 400: the new password %s is rejected',
    async (bad) => {
      const ada = await service.factory.user();
      const response = await change(await service.as(ada), bad);
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'password_rejected', errors: [{ pointer: '/new_password' }] },
      });
      expect((await signIn(ada.email, password)).status).toBe(200);
    },
  );

  test('RACE-04 of two concurrent changes one succeeds and the other fails', async () => {
    const ada = await service.factory.user();
    const [first, second] = [await service.as(ada), await service.as(ada)];
    const responses = await Promise.all([change(first, `${another} one`), change(second, `${another} two`)]);
    const refused = responses.filter(({ status }) => status !== 204);
    expect(refused).toHaveLength(1);
    expect([400, 401]).toContain(refused[0]?.status);
    const working = await Promise.all(['one', 'two'].map((end) => signIn(ada.email, `${another} ${end}`)));
    expect(working.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test('401: without a token', async () => {
    expect((await change(service.api)).status).toBe(401);
  });
});

describe('a password', () => {
  test('AUTH-08 AUTH-09 is normalized to NFKC and otherwise unchanged', async () => {
    const ada = await service.factory.user();
    await change(await service.as(ada), ' Ｃafé Ångström ﬁve owls ');
    expect((await signIn(ada.email, ' Café Ångström five owls ')).status).toBe(200);
    expect((await signIn(ada.email, 'Café Ångström five owls')).status).toBe(401);
    expect((await signIn(ada.email, ' café ångström five owls ')).status).toBe(401);
  });

  test('AUTH-08 is compared in full, without truncation', async () => {
    const ada = await service.factory.user();
    const long = 'violet lamp drinks tea '.repeat(6).slice(0, 127);
    expect((await change(await service.as(ada), `${long}!`)).status).toBe(204);
    expect((await signIn(ada.email, `${long}!`)).status).toBe(200);
    expect((await signIn(ada.email, `${long}?`)).status).toBe(401);
    expect((await signIn(ada.email, long)).status).toBe(401);
  });

  test('AUTH-04 is hashed again at the next sign-in if its hash is weak', async () => {
    const weak = '$argon2id$v=19$m=4096,t=1,p=1$';
    const { hash } = await import('@node-rs/argon2');
    const passwordHash = await hash(password, {
      algorithm: 2,
      memoryCost: 4096,
      timeCost: 1,
      parallelism: 1,
    });
    expect(passwordHash.startsWith(weak)).toBe(true);
    const ada = await service.factory.user({ passwordHash });
    expect((await signIn(ada.email, password)).status).toBe(200);
    const stored = await until(async () => {
      const rows = await service.database.query<{ password_hash: string }[]>(
        'SELECT password_hash FROM users WHERE id = $1',
        [ada.id],
      );
      return rows[0]?.password_hash;
    });
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect((await signIn(ada.email, password)).status).toBe(200);
  });

  test('AUTH-05 with a hash that requires gigabytes of memory is rejected without computing it', async () => {
    const hostile = `$argon2id$v=19$m=16777216,t=4000000,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`;
    const ada = await service.factory.user({ passwordHash: hostile });
    // Its computation would never end within the deadline of the request: 504.
    expect((await signIn(ada.email, password)).status).toBe(401);
  });
});
