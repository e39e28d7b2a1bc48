import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import type { Client } from './support/client.js';
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
    const answer = await invite(admin, 'Ada@Example.com', { name: 'Ada', ...into(sales, 'manager') });
    expect(answer).toMatchObject({ status: 201 });
    expect(answer.body).toEqual({
      id: expect.any(String),
      email: 'ada@example.com',
      name: 'Ada',
      role: 'member',
      workspaces: [{ workspace_id: sales.id, role: 'manager', expires_at: null }],
      status: 'pending',
      delivery: 'queued',
      invited_by: expect.any(String),
      created_at: expect.any(String),
      expires_at: expect.any(String),
    });
    const { created_at, expires_at } = answer.body as Record<string, string>;
    expect((Date.parse(expires_at!) - Date.parse(created_at!)) / 3_600_000).toBeCloseTo(72, 3);
  });

  test('201: the mail carries the link, and its delivery is known', async () => {
    await invite(admin, 'grace@example.com', { name: '<b>Grace</b>' });
    const secret = await service.mailbox.secretFor('grace@example.com');
    const [mail] = await mailsTo('grace@example.com');
    expect(mail?.text).toContain(`https://vitrine.test/invitation#token=${secret}`);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(mail?.html).toContain('&lt;b&gt;Grace&lt;/b&gt;');
    await until(async () => (await deliveryTo('grace@example.com')) === 'sent');
  });

  test('201: a manager, as member into an own workspace', async () => {
    const manager = await service.asMember(sales, 'manager');
    const answer = await invite(manager, 'joan@example.com', into(sales));
    expect(answer).toMatchObject({ status: 201, body: { role: 'member', email: 'joan@example.com' } });
  });

  test('201: the secret is stored nowhere', async () => {
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

  test('200: again within a minute, nothing changes and nothing is sent', async () => {
    const first = await invite(admin, 'radia@example.com');
    await service.mailbox.secretFor('radia@example.com');
    const again = await invite(admin, 'radia@example.com', into(sales));
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id, workspaces: [] } });
    await service.jobsDone();
    expect(await mailsTo('radia@example.com')).toHaveLength(1);
  });

  test('200: again after a minute, a new link that kills the old one', async () => {
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

  test('200: somebody with an account gets the grants at once, and no secret', async () => {
    const ada = await service.factory.user();
    const answer = await invite(admin, ada.email, into(sales, 'editor'));
    expect(answer).toMatchObject({ status: 200, body: { status: 'accepted' } });
    const { body } = await (await service.as(ada)).get('/api/workspaces');
    expect(body.workspaces).toMatchObject([{ id: sales.id }]);
    await until(async () => (await mailsTo(ada.email)).length === 1);
    expect((await mailsTo(ada.email))[0]?.text).not.toContain('#token=');
  });

  test.each([
    ['no address', {}, '/email'],
    ['an address that is none', { email: 'ada' }, '/email'],
    ['two addresses', { email: 'ada@example.com, eve@example.com' }, '/email'],
    ['a line break in the name', { name: 'Ada\r\nBcc: eve@example.com' }, '/name'],
    ['a role that is none', { role: 'root' }, '/role'],
    ['a workspace that is not there', into({ id: uuidv7() } as Workspace), '/workspaces/0/workspace_id'],
    ['a workspace role that is none', { workspaces: [{ role: 'owner' }] }, '/workspaces/0/role'],
    ['an unknown field', { is_admin: true }, '/is_admin'],
    ['a workspace that is text', { workspaces: ['sales'] }, '/workspaces'],
    ['workspaces that are no list', { workspaces: 'sales' }, '/workspaces'],
  ])('400: %s', async (_name, change, pointer) => {
    const email = pointer === '/email' ? undefined : 'eve@example.com';
    const answer = await admin.post('/api/users/invite', { email, ...change });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    const errors = answer.body.errors as { pointer: string }[];
    expect(errors.map((error) => error.pointer)).toContainEqual(expect.stringContaining(pointer));
  });

  test.each(['2020-01-01T00:00:00Z', 'tomorrow', '2099-13-01T00:00:00Z'])(
    '400: a grant until %s',
    async (expires_at) => {
      const workspaces = [{ workspace_id: sales.id, role: 'viewer', expires_at }];
      const answer = await invite(admin, 'eve@example.com', { workspaces });
      expect(answer.status).toBe(400);
      expect(answer.body.detail).toContain('/workspaces/0/expires_at');
    },
  );

  test('400: the same workspace twice, in whatever case', async () => {
    const workspaces = [sales.id, sales.id.toUpperCase()].map((id) => ({ workspace_id: id, role: 'viewer' }));
    expect((await invite(admin, 'eve@example.com', { workspaces })).status).toBe(400);
  });

  test('400: a foreign workspace is as one that is not there', async () => {
    const manager = await service.asMember(sales, 'manager');
    const foreign = await service.factory.workspace();
    const bodies = [foreign, { id: uuidv7() } as Workspace].map((workspace) => into(workspace));
    const answers = await Promise.all(bodies.map((body) => invite(manager, 'eve@example.com', body)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
    expect(answers[0]?.body.errors).toEqual(answers[1]?.body.errors);
  });

  test('403: what the caller may not give away, and nothing is sent', async () => {
    const manager = await service.asMember(sales, 'manager');
    const editor = await service.asMember(sales, 'editor');
    const answers = [
      await invite(manager, 'eve@example.com', { role: 'admin', ...into(sales) }),
      await invite(manager, 'eve@example.com'),
      await invite(editor, 'eve@example.com', into(sales)),
      await invite(await service.as(await service.factory.user()), 'eve@example.com'),
    ];
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    expect(await service.database.query(`SELECT FROM invitations WHERE email = 'eve@example.com'`)).toEqual(
      [],
    );
  });

  test('409: nothing would change', async () => {
    const ada = await service.factory.user();
    await service.factory.grant(ada, sales, 'viewer');
    for (const body of [into(sales), {}]) {
      const answer = await invite(admin, ada.email, body);
      expect(answer).toMatchObject({ status: 409, body: { code: 'already_has_access' } });
    }
  });

  test('409: a disabled person in a workspace of the manager', async () => {
    const ada = await service.factory.user({ status: 'disabled' });
    await service.factory.grant(ada, sales, 'viewer');
    const answer = await invite(await service.asMember(sales, 'manager'), ada.email, into(sales));
    expect(answer).toMatchObject({ status: 409, body: { code: 'user_disabled' } });
  });
});
