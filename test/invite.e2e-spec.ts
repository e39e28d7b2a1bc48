import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

let service: Service;
let admin: Client;
let sales: Workspace;

beforeAll(async () => {
  service = await startService();
  sales = await service.factory.workspace({ name: 'Sales' });
});
afterAll(() => service.close());
beforeEach(async () => {
  admin = await service.asAdmin();
});

const invite = (by: Client, email: string, more: object = {}) =>
  by.post('/api/users/invite', { email, ...more });
const into = ({ id }: Workspace, role = 'viewer') => ({ workspaces: [{ workspace_id: id, role }] });
const mailsTo = (email: string) => service.mailbox.mailsTo(email);
const deliveryTo = async (email: string) =>
  (await service.database.query('SELECT delivery FROM invitations WHERE email = $1', [email]))[0].delivery;

describe('POST /api/users/invite', () => {
  test('201: exactly the fields of an invitation, and no link', async () => {
    const response = await invite(admin, 'Ada@Example.com', { name: 'Ada', ...into(sales, 'manager') });
    expect(response).toMatchObject({ status: 201 });
    expect(response.body).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada',
      role: 'member',
      workspaces: [{ workspace_id: sales.id, role: 'manager', expires_at: null }],
      reports: [],
      groups: [],
      status: 'pending',
      delivery: 'queued',
      invited_by: expect.any(String),
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const { created_at, expires_at } = response.body as Record<string, string>;
    expect((Date.parse(expires_at!) - Date.parse(created_at!)) / 3_600_000).toBeCloseTo(72, 3);
  });

  test('201: the email contains the link, and its delivery is reported', async () => {
    await invite(admin, 'grace@example.com', { name: '<b>Grace</b>' });
    const secret = await service.mailbox.secretFor('grace@example.com');
    const [mail] = await mailsTo('grace@example.com');
    expect(mail?.text).toContain(`https://vitrine.test/invitation#token=${secret}`);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(mail?.html).toContain('&lt;b&gt;Grace&lt;/b&gt;');
    await until(async () => (await deliveryTo('grace@example.com')) === 'sent');
  });

  test('201: a manager, for the member role in their workspace', async () => {
    const manager = await service.asMember(sales, 'manager');
    const response = await invite(manager, 'joan@example.com', into(sales));
    expect(response).toMatchObject({ status: 201, body: { role: 'member', email: 'joan@example.com' } });
  });

  test('201: the secret is not stored', async () => {
    await invite(admin, 'hedy@example.com');
    const secret = await service.mailbox.secretFor('hedy@example.com');
    const tables = ['invitations', 'audit_events', 'pgboss.job'];
    for (const table of tables) {
      const rows = await service.database.query(`SELECT FROM ${table} x WHERE x::text LIKE $1`, [
        `%${secret}%`,
      ]);
      expect(rows).toEqual([]);
    }
  });

  test('200: repeated within a minute, the access is added, and nothing is sent', async () => {
    const email = 'radia@example.com';
    const other = await service.factory.workspace();
    const first = await invite(admin, email, { role: 'admin', ...into(sales) });
    const secret = await service.mailbox.secretFor(email);
    const again = await invite(admin, email, { name: 'Radia', ...into(other, 'editor') });
    const workspaces = [
      { workspace_id: sales.id, role: 'viewer', expires_at: null },
      { workspace_id: other.id, role: 'editor', expires_at: null },
    ];
    const { expires_at } = first.body;
    const merged = { id: first.body.id, name: 'Radia', role: 'admin', expires_at };
    await until(async () => (await deliveryTo(email)) === 'sent');
    const third = await invite(admin, email, into(other, 'editor'));
    for (const { status, body } of [again, third]) {
      expect({ status, body }).toMatchObject({ status: 200, body: merged });
      expect(body.workspaces).toEqual(expect.arrayContaining(workspaces));
    }
    expect(third.body).toMatchObject({ delivery: 'sent' });
    const events = await service.database.query(
      'SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id',
      [first.body.id],
    );
    expect(events).toEqual([{ action: 'invitation_created' }, { action: 'invitation_changed' }]);
    await service.waitForJobs();
    expect(await mailsTo(email)).toHaveLength(1);
    const { status } = await service.api.post('/api/auth/token', {
      grant_type: 'invitation',
      password: 'correct horse battery staple',
      invitation_token: secret,
    });
    expect(status).toBe(200);
    const grants = await service.database.query(
      `SELECT grants.role FROM grants JOIN users ON users.id = user_id WHERE email = $1 ORDER BY 1`,
      [email],
    );
    expect(grants).toEqual([{ role: 'editor' }, { role: 'viewer' }]);
  });

  test('200: repeated after a minute, a new link that voids the old one', async () => {
    const first = await invite(admin, 'ruth@example.com');
    const old = await service.mailbox.secretFor('ruth@example.com');
    service.clock.advance(61);
    const again = await invite(admin, 'ruth@example.com', into(sales));
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, status: 'pending' } });
    await until(async () => (await mailsTo('ruth@example.com')).length === 2);
    const grant = { grant_type: 'invitation', password: 'correct horse battery staple' };
    const accept = (invitation_token: string) =>
      service.api.post('/api/auth/token', { ...grant, invitation_token });
    expect((await accept(old)).status).toBe(400);
    expect((await accept(await service.mailbox.secretFor('ruth@example.com'))).status).toBe(200);
  });

  test('200: repeated after a minute, the role admin stays', async () => {
    const email = 'barbara@example.com';
    const first = await invite(admin, email, { role: 'admin' });
    const old = await service.mailbox.secretFor(email);
    service.clock.advance(61);
    const again = await invite(admin, email, into(sales));
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, role: 'admin' } });
    const { status, body } = await service.api.post<{ access_token: string }>('/api/auth/token', {
      grant_type: 'invitation',
      password: 'correct horse battery staple',
      invitation_token: await service.mailbox.nextSecretFor(email, old),
    });
    expect(status).toBe(200);
    const me = await new Client(service.url, body.access_token).get('/api/users/me');
    expect(me.body).toMatchObject({ email, role: 'admin' });
  });

  test.each([0, 61])(
    '200: repeated after %s seconds, the role admin of a demoted inviter ends',
    async (seconds) => {
      const email = `demoted-${seconds}@example.com`;
      const chief = await service.factory.admin();
      expect((await invite(await service.as(chief), email, { role: 'admin' })).body.role).toBe('admin');
      await admin.patch(`/api/users/${chief.id}`, { role: 'member' });
      service.clock.advance(seconds);
      const again = await invite(admin, email, into(sales));
      expect(again).toMatchObject({ status: 200, body: { role: 'member' } });
    },
  );

  test('200: an existing user gets the grants immediately, and no secret', async () => {
    const ada = await service.factory.user();
    const response = await invite(admin, ada.email, into(sales, 'editor'));
    expect(response).toMatchObject({ status: 200, body: { status: 'accepted' } });
    const { body } = await (await service.as(ada)).get('/api/workspaces');
    expect(body.workspaces).toMatchObject([{ id: sales.id }]);
    await until(async () => (await mailsTo(ada.email)).length === 1);
    expect((await mailsTo(ada.email))[0]?.text).not.toContain('#token=');
  });

  test('200: an existing user gets an email about each workspace, and none about the same within a minute', async () => {
    const ada = await service.factory.user();
    const finance = await service.factory.workspace();
    await invite(admin, ada.email, into(sales, 'viewer'));
    await invite(admin, ada.email, into(finance, 'viewer'));
    await until(async () => (await mailsTo(ada.email)).length === 2);
    const changed = await invite(admin, ada.email, into(sales, 'editor'));
    expect(changed).toMatchObject({ status: 200, body: { workspaces: [{ role: 'editor' }] } });
    await service.waitForJobs();
    expect(await mailsTo(ada.email)).toHaveLength(2);
  });

  test.each([
    ['no address', {}, '/email'],
    ['an invalid address', { email: 'ada' }, '/email'],
    ['two addresses', { email: 'ada@example.com, eve@example.com' }, '/email'],
    ['a line break in the name', { name: 'Ada\r\nBcc: eve@example.com' }, '/name'],
    ['an invalid role', { role: 'root' }, '/role'],
    ['an unknown workspace', into({ id: uuidv7() } as Workspace), '/workspaces/0/workspace_id'],
    ['an invalid workspace role', { workspaces: [{ role: 'owner' }] }, '/workspaces/0/role'],
    ['an unknown field', { is_admin: true }, '/is_admin'],
    ['a workspace that is text', { workspaces: ['sales'] }, '/workspaces'],
    ['workspaces that are not a list', { workspaces: 'sales' }, '/workspaces'],
  ])('400: %s', async (_name, change, pointer) => {
    const email = pointer === '/email' ? undefined : 'eve@example.com';
    const response = await admin.post('/api/users/invite', { email, ...change });
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const errors = response.body.errors as { pointer: string }[];
    expect(errors.map((error) => error.pointer)).toContainEqual(expect.stringContaining(pointer));
  });

  test.each(['2020-01-01T00:00:00Z', 'tomorrow', '2099-13-01T00:00:00Z'])(
    '400: a grant until %s',
    async (expires_at) => {
      const workspaces = [{ workspace_id: sales.id, role: 'viewer', expires_at }];
      const response = await invite(admin, 'eve@example.com', { workspaces });
      expect(response.status).toBe(400);
      expect(response.body.detail).toContain('/workspaces/0/expires_at');
    },
  );

  test('400: the same workspace twice, in any case', async () => {
    const workspaces = [sales.id, sales.id.toUpperCase()].map((id) => ({ workspace_id: id, role: 'viewer' }));
    expect((await invite(admin, 'eve@example.com', { workspaces })).status).toBe(400);
  });

  test('400: a foreign workspace is treated like an unknown one', async () => {
    const manager = await service.asMember(sales, 'manager');
    const foreign = await service.factory.workspace();
    const bodies = [foreign, { id: uuidv7() } as Workspace].map((workspace) => into(workspace));
    const responses = await Promise.all(bodies.map((body) => invite(manager, 'eve@example.com', body)));
    expect(responses.map(({ status }) => status)).toEqual([400, 400]);
    expect(responses[0]?.body.errors).toEqual(responses[1]?.body.errors);
  });

  test('403: a role or workspace that the caller may not grant; nothing is sent', async () => {
    const manager = await service.asMember(sales, 'manager');
    const editor = await service.asMember(sales, 'editor');
    const responses = [
      await invite(manager, 'eve@example.com', { role: 'admin', ...into(sales) }),
      await invite(manager, 'eve@example.com'),
      await invite(editor, 'eve@example.com', into(sales)),
      await invite(await service.as(await service.factory.user()), 'eve@example.com'),
    ];
    for (const response of responses)
      expect(response).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await service.database.query(`SELECT FROM invitations WHERE email = 'eve@example.com'`)).toEqual(
      [],
    );
  });

  test('409: the user already has this access', async () => {
    const ada = await service.factory.user();
    await service.factory.grant(ada, sales, 'viewer');
    for (const body of [into(sales), {}]) {
      const response = await invite(admin, ada.email, body);
      expect(response).toMatchObject({ status: 409, body: { code: 'already_has_access' } });
    }
  });

  test('409: a disabled user in a workspace of the manager', async () => {
    const ada = await service.factory.user({ status: 'disabled' });
    await service.factory.grant(ada, sales, 'viewer');
    const response = await invite(await service.asMember(sales, 'manager'), ada.email, into(sales));
    expect(response).toMatchObject({ status: 409, body: { code: 'user_disabled' } });
  });
});
