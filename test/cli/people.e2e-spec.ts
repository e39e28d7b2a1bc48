import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { vitrine, vitrineJson, vitrineProcess } from '../support/cli.js';
import { password } from '../support/factory.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Body {
  id: string;
  email: string;
  password?: string;
  client_secret: string;
  error: { code: string };
}

let service: Service;
const json = <T = Body>(...args: string[]) => vitrineJson<T>(service.environment, ...args);
const signIn = (body: object) => service.api.post<{ access_token: string }>('/api/auth/token', body);

/** Who did it, as the trail has it. */
const actorOf = async (action: string, targetId: string) => {
  const [event] = await service.database.query(
    `SELECT users.name, users.kind, user_agent, ip FROM audit_events JOIN users ON users.id = actor_id
     WHERE action = $1 AND target_id = $2`,
    [action, targetId],
  );
  return event;
};
const commandLine = {
  name: 'Command line',
  kind: 'service',
  user_agent: expect.stringContaining('command line'),
  ip: null,
};

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('vitrine users', () => {
  test('create: the new user can sign in with the printed password', async () => {
    const { code, body } = await json('users', 'create', 'mailto:Ada@Example.org', '--role', 'admin');
    expect(code).toBe(0);
    expect(body).toMatchObject({ email: 'ada@example.org', role: 'admin', status: 'active' });
    expect((await signIn({ email: body.email, password: body.password })).status).toBe(200);
    expect(await actorOf('user_created', body.id)).toEqual(commandLine);
  });

  test('create: reads a password from standard input, and does not print it', async () => {
    const args = ['users', 'create', 'ben@example.org', '--password-stdin'];
    const { code, stdout } = await vitrineProcess(service.environment, args, `${password}\n`);
    expect([code, stdout]).toEqual([0, expect.not.stringContaining(password)]);
    expect((await signIn({ email: 'ben@example.org', password })).status).toBe(200);
  });

  test('password: the user signs in with the printed password only, and the sessions have ended', async () => {
    const user = await service.factory.user();
    const client = await service.as(user);
    const { code, body } = await json('users', 'password', user.email);
    expect([code, body.id]).toEqual([0, user.id]);
    expect((await client.get('/api/users/me')).status).toBe(401);
    expect((await signIn({ email: user.email, password })).status).toBe(401);
    expect((await signIn({ email: user.email, password: body.password })).status).toBe(200);
    expect(await actorOf('password_reset', user.id)).toEqual(commandLine);
  });

  test('password: reads it from standard input, by the rules of every password, and of active users only', async () => {
    const user = await service.factory.user();
    const given = (text: string) =>
      vitrineProcess(service.environment, ['users', 'password', user.id, '--password-stdin'], text);
    expect((await given('short\n')).code).toBe(3);
    const { code, stdout } = await given('violet lamp drinks tea\n');
    expect([code, stdout]).toEqual([0, expect.not.stringContaining('violet')]);
    expect((await signIn({ email: user.email, password: 'violet lamp drinks tea' })).status).toBe(200);
    const withoutPasswords = {
      ...service.environment,
      OIDC_ISSUER: 'https://login.example',
      OIDC_CLIENT_ID: 'vitrine',
      PASSWORD_SIGN_IN: 'false',
    };
    expect(await vitrineJson(withoutPasswords, 'users', 'password', user.email)).toMatchObject({
      code: 3,
      body: { error: { code: 'password_sign_in_disabled' } },
    });
    await json('users', 'disable', user.email);
    expect(await json('users', 'password', user.email)).toMatchObject({
      code: 3,
      body: { error: { code: 'conflict' } },
    });
  });

  test('export: prints the personal data of a user, by address or id', async () => {
    const user = await service.factory.user({ name: 'Expo Rted' });
    for (const who of [user.email, user.id]) {
      const { code, stdout } = await vitrine(service.environment, ['users', 'export', who]);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toMatchObject({
        user_id: user.id,
        data: { account: [{ email: user.email, name: 'Expo Rted' }] },
      });
    }
    expect(await actorOf('personal_data_exported', user.id)).toEqual(commandLine);
    const unknown = await json('users', 'export', 'nobody@example.org');
    expect(unknown).toMatchObject({ code: 3, body: { error: { code: 'user_not_found' } } });
  });

  test('create: exit code 3 for an existing or an invalid address', async () => {
    const { email } = await service.factory.user();
    expect(await json('users', 'create', email)).toMatchObject({
      code: 3,
      body: { error: { code: 'conflict' } },
    });
    expect(await json('users', 'create', 'nobody')).toMatchObject({
      code: 3,
      body: { error: { code: 'invalid_request' } },
    });
  });

  test('list: users only, filtered by role', async () => {
    const admin = await service.factory.admin();
    const { code, body } = await json<{ users: { id: string; role: string }[] }>(
      'users',
      'list',
      '--role',
      'admin',
    );
    expect(code).toBe(0);
    expect(body.users.map(({ id }) => id)).toContain(admin.id);
    expect(new Set(body.users.map(({ role }) => role))).toEqual(new Set(['admin']));
    const { stdout } = await vitrine(service.environment, ['users', 'list']);
    expect(stdout).toContain(admin.email);
    expect(stdout).not.toContain('Command line');
  });

  test('email: changes the address, by address or id; both addresses receive an email, and open links are void', async () => {
    const user = await service.factory.user({ name: 'Mover Ada' });
    const [old, second, third] = [user.email, 'moved-1@example.org', 'moved-2@example.org'];
    await signIn({ grant_type: 'password_reset_request', email: old });
    const secret = await service.mailbox.secretFor(old);
    const { code, body } = await json('users', 'email', old, 'mailto:Moved-1@Example.org');
    expect([code, body]).toEqual([0, expect.objectContaining({ id: user.id, email: second })]);
    expect(await actorOf('user_changed', user.id)).toEqual(commandLine);
    expect((await signIn({ email: second, password })).status).toBe(200);
    expect((await signIn({ email: old, password })).status).toBe(401);
    const reset = { grant_type: 'password_reset', reset_token: secret, password: `${password} 2` };
    expect((await signIn(reset)).status).toBe(400);
    for (const address of [old, second])
      await until(async () =>
        (await service.mailbox.mailsTo(address)).some(({ subject }) => subject?.includes('was changed')),
      );
    const { stdout } = await vitrine(service.environment, ['users', 'email', user.id, third]);
    expect(stdout).toBe(`The email address of Mover Ada is ${third}. Open links are void.\n`);
    const again = await vitrine(service.environment, ['users', 'email', user.id, third]);
    expect(again.stdout).toContain('Nothing changed.');
  });

  test('email: exit code 3 for an address that is taken or invalid, and for a person whom SCIM manages', async () => {
    const [user, other] = [await service.factory.user(), await service.factory.user()];
    const change = (address: string) => json('users', 'email', user.id, address);
    const refused = (code: string, detail: string) => ({
      code: 3,
      body: { error: { code, detail: expect.stringContaining(detail) } },
    });
    expect(await change(other.email)).toMatchObject(
      refused('conflict', 'Another user has this email address'),
    );
    expect(await change('nobody')).toMatchObject(refused('invalid_request', 'email'));
    expect(await json('users', 'email', 'no@example.org', 'a@example.org')).toMatchObject({
      code: 3,
      body: { error: { code: 'user_not_found' } },
    });
    await service.database.query(`UPDATE users SET source = 'scim' WHERE id = $1`, [user.id]);
    expect(await change('free@example.org')).toMatchObject(refused('invalid_request', 'SCIM'));
  });

  test('disable: ends the sessions immediately', async () => {
    const user = await service.factory.user();
    const client = await service.as(user);
    expect((await json('users', 'disable', user.email)).code).toBe(0);
    expect((await client.get('/api/users/me')).status).toBe(401);
    expect(await actorOf('user_disabled', user.id)).toEqual(commandLine);
    expect(await json('users', 'disable', 'no@example.org')).toMatchObject({ code: 3 });
    expect(await json('users', 'disable', 'neither')).toMatchObject({ code: 3 });
  });
});

describe('vitrine invite', () => {
  test('sends the invitation email through the service', async () => {
    const workspace = await service.factory.workspace();
    const grant = `${workspace.id}:editor`;
    const args = ['invite', 'carol@example.org', '--workspace', grant, '--json'];
    const { code, stdout } = await vitrineProcess(service.environment, args);
    const body = JSON.parse(stdout) as Body;
    expect([code, body]).toEqual([
      0,
      expect.objectContaining({
        status: 'pending',
        workspaces: [{ workspace_id: workspace.id, role: 'editor', expires_at: null }],
      }),
    ]);
    await until(async () => {
      const [row] = await service.database.query('SELECT delivery FROM invitations WHERE id = $1', [body.id]);
      return row.delivery === 'sent';
    });
    expect(await actorOf('invitation_created', body.id)).toEqual(commandLine);
  });

  test('exit code 3 for an unknown workspace', async () => {
    const grant = '01a1fd86-304a-71d8-9c36-1fe80cf00414';
    expect(await json('invite', 'dora@example.org', '--workspace', grant)).toMatchObject({ code: 3 });
  });
});

describe('vitrine service-accounts', () => {
  test('create, rotate, list, disable', async () => {
    const { body: made } = await json('service-accounts', 'create', 'Nightly export', '--days', '30');
    const id = made.id.toUpperCase();
    const rotation = await vitrineProcess(service.environment, ['service-accounts', 'rotate', id]);
    const rotated = /^client_id {6}(\S+)\nclient_secret {2}(\S+)$/m.exec(rotation.stdout) ?? [];
    expect(rotated[1]).toBe(made.id);
    for (const client_secret of [made.client_secret, rotated[2]]) {
      const grant = { grant_type: 'client_credentials', client_id: made.id, client_secret };
      expect((await signIn(grant)).status).toBe(200);
    }
    expect(await json('service-accounts', 'rotate', made.id)).toMatchObject({
      code: 3,
      body: { error: { code: 'too_many_secrets' } },
    });
    const { stdout } = await vitrineProcess(service.environment, ['service-accounts', 'list']);
    expect(stdout).toMatch(new RegExp(`${made.id}  Nightly export +member +active +2`));
    expect((await json('service-accounts', 'disable', id)).code).toBe(0);
    const grant = { grant_type: 'client_credentials', client_id: made.id, client_secret: made.client_secret };
    expect((await signIn(grant)).status).toBe(401);
    expect(await actorOf('service_account_created', made.id)).toEqual(commandLine);
  });

  test('one service account is the actor of every command, until an admin disables it', async () => {
    const [{ count, id }] = await service.database.query(
      `SELECT count(*)::int AS count, min(id::text) AS id FROM users WHERE name = 'Command line'`,
    );
    expect(count).toBe(1);
    const admin = await service.asAdmin();
    await admin.patch(`/api/service-accounts/${id}`, { status: 'disabled' });
    expect(await json('users', 'create', 'eve@example.org')).toMatchObject({ code: 3 });
    await admin.patch(`/api/service-accounts/${id}`, { status: 'active' });
  });
});
