import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { IdentityProviderService } from '../../src/auth/oidc/identity-provider.service.js';
import type { User } from '../../src/users/user.entity.js';
import { Client } from '../support/client.js';
import { goAs, loginUrl, newProof, person, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;
let admin: Client;

const [oid, oidOfUli, oidOfVera] = [randomUUID(), randomUUID(), randomUUID()];
const invited = (sub: string) => person(sub, { email: `${sub}@private.example` });

beforeAll(async () => {
  const rules = {
    rules: [{ name: 'Staff', when: { groups: ['staff'] }, role: 'admin', attributes: { team: 'A' } }],
  };
  const inTenant = (sub: string, claims: object) => person(sub, { tid: demoTenant.tenantId, ...claims });
  const tenant = [
    inTenant('tess', { oid }),
    inTenant('uli', { oid: oidOfUli, groups: ['staff'] }),
    inTenant('vera', { oid: oidOfVera }),
  ];
  const people = ['ada', 'ben', 'cleo', 'dan'].map((sub) => person(sub, { groups: ['staff'] }));
  here = await startSignIn(
    [...people, ...tenant, ...['ines', 'jo', 'kim', 'lea', 'max'].map(invited)],
    rules,
  );
  admin = await here.service.asAdmin();
});
afterAll(() => here.close());

const link = ({ id }: User, body: object) => admin.post<{ id: string }>(`/api/users/${id}/identities`, body);
const me = (token: string) => new Client(here.service.url, token).get('/api/users/me');

describe('POST /api/users/:id/identities', () => {
  test('201: links a user to this subject, regardless of the email address', async () => {
    const user = await here.service.factory.user({ email: 'somebody@else.example' });
    expect((await here.arrive('ada')).status).toBe(403);
    const linked = await link(user, { subject: 'ada' });
    expect(linked.status).toBe(201);
    expect(linked.body).toMatchObject({
      issuer: here.provider.issuer,
      subject: 'ada',
      last_sign_in_at: null,
    });
    const { body } = await here.signIn('ada');
    expect((await me(body.access_token)).body).toMatchObject({
      id: user.id,
      email: 'somebody@else.example',
      sign_in_methods: ['password', 'oidc'],
    });
  });

  test('201: by the ids of Entra; the first sign-in adds the subject', async () => {
    const user = await here.service.factory.user();
    expect((await link(user, { tenant_id: demoTenant.tenantId, object_id: oid })).body).toMatchObject({
      subject: null,
    });
    expect((await me((await here.signIn('tess')).body.access_token)).body).toMatchObject({ id: user.id });
    const { body } = await admin.get<{ identities: object[] }>(`/api/users/${user.id}/identities`);
    expect(body.identities).toEqual([expect.objectContaining({ subject: 'tess', object_id: oid })]);
  });

  test('201: by both; the first sign-in makes one identity of them, which removes what the other provided', async () => {
    const user = await here.service.factory.user();
    const byIds = { tenant_id: demoTenant.tenantId, object_id: oidOfUli };
    expect((await link(user, byIds)).status).toBe(201);
    expect((await me((await here.signIn('uli')).body.access_token)).body).toMatchObject({ role: 'admin' });
    // As if the service had another client id at the provider then, and with it other subjects.
    await here.service.database.query(`UPDATE user_identities SET sub = 'former' WHERE oid = $1`, [oidOfUli]);
    expect((await link(user, { subject: 'uli' })).status).toBe(201);
    here.provider.people.set('uli', { ...here.provider.people.get('uli'), sub: 'uli', groups: [] });
    for (let count = 0; count < 2; count += 1) {
      const { body } = await here.signIn('uli');
      expect((await me(body.access_token)).body).toMatchObject({ id: user.id, role: 'member' });
    }
    const { body } = await admin.get<{ identities: object[] }>(`/api/users/${user.id}/identities`);
    expect(body.identities).toEqual([expect.objectContaining({ subject: 'uli', object_id: oidOfUli })]);
  });

  test('201: by both to two users; the subject counts', async () => {
    const [user, other] = [await here.service.factory.user(), await here.service.factory.user()];
    await link(other, { tenant_id: demoTenant.tenantId, object_id: oidOfVera });
    expect((await link(user, { subject: 'vera' })).status).toBe(201);
    for (let count = 0; count < 2; count += 1) {
      const { body } = await here.signIn('vera');
      expect((await me(body.access_token)).body).toMatchObject({ id: user.id });
    }
    const { body } = await admin.get<{ identities: object[] }>(`/api/users/${other.id}/identities`);
    expect(body.identities).toEqual([expect.objectContaining({ subject: null, object_id: oidOfVera })]);
  });

  test('400: neither or both kinds of ids, another tenant or another issuer', async () => {
    const user = await here.service.factory.user();
    const bodies = [
      {},
      { tenant_id: demoTenant.tenantId },
      { subject: 'x', tenant_id: demoTenant.tenantId, object_id: oid },
      { tenant_id: randomUUID(), object_id: oid },
      { subject: 'x', issuer: 'https://evil.test' },
    ];
    const responses = await Promise.all(bodies.map((body) => link(user, body)));
    expect(responses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  test('400: a subject with a provider of several tenants, where only the ids of Entra identify a user', async () => {
    const user = await here.service.factory.user();
    const issuer = here.provider.issuer.replace(demoTenant.tenantId, '{tenantid}');
    const provider = here.service.app.get(IdentityProviderService);
    const metadata = jest.spyOn(provider, 'metadata').mockResolvedValue({ issuer });
    expect(await link(user, { subject: 'x' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ pointer: '/subject' }] },
    });
    const byIds = { tenant_id: demoTenant.tenantId, object_id: randomUUID() };
    expect((await link(user, byIds)).status).toBe(201);
    metadata.mockRestore();
  });

  test('403 for members, 404 for an unknown user, 409 for an identity that is already linked', async () => {
    const [user, other] = [await here.service.factory.user(), await here.service.factory.user()];
    const member = await here.service.as(user);
    expect((await member.post(`/api/users/${user.id}/identities`, { subject: 'ben' })).status).toBe(403);
    expect((await admin.post(`/api/users/${randomUUID()}/identities`, { subject: 'ben' })).status).toBe(404);
    await link(user, { subject: 'ben' });
    expect((await link(other, { subject: 'ben' })).body).toMatchObject({ code: 'identity_taken' });
  });
});

test('a repeated link with the same Idempotency-Key links once', async () => {
  const { id } = await here.service.factory.user();
  const key = { 'idempotency-key': randomUUID() };
  const path = `/api/users/${id}/identities`;
  const [first, second] = [
    await admin.post(path, { subject: 'keyed' }, key),
    await admin.post(path, { subject: 'keyed' }, key),
  ];
  expect([first.status, second.status]).toEqual([201, 201]);
  expect(second.body).toEqual(first.body);
  expect((await admin.get<{ identities: object[] }>(path)).body.identities).toHaveLength(1);
});

describe('DELETE /api/users/:id/identities/:identity_id', () => {
  test('OBS-01 204: removes the grants of the identity and ends its sessions', async () => {
    const user = await here.service.factory.user({ attributes: { own: 'kept' } });
    const identity = await link(user, { subject: 'cleo' });
    const { body } = await here.signIn('cleo');
    expect((await me(body.access_token)).body).toMatchObject({ role: 'admin' });
    expect((await admin.delete(`/api/users/${user.id}/identities/${identity.body.id}`)).status).toBe(204);
    expect((await me(body.access_token)).status).toBe(401);
    const [event] = await here.service.database.query<{ details: object }[]>(
      `SELECT details FROM audit_events WHERE action = 'signed_out' AND target_id = $1`,
      [user.id],
    );
    expect(event?.details).toEqual({ reason: 'identity_unlinked', sessions: 1 });
    const [row] = await here.service.database.query<object[]>(
      'SELECT role, attributes FROM users WHERE id = $1',
      [user.id],
    );
    expect(row).toEqual({ role: 'member', attributes: { own: 'kept' } });
    expect((await here.arrive('cleo')).status).toBe(403);
  });

  test('AZ-04 404: an identity of another user', async () => {
    const [user, other] = [await here.service.factory.user(), await here.service.factory.user()];
    const identity = await link(user, { subject: 'dan' });
    expect((await admin.delete(`/api/users/${other.id}/identities/${identity.body.id}`)).status).toBe(404);
  });
});

describe('an invitation accepted through the provider', () => {
  const invite = async (email: string): Promise<string> => {
    expect((await admin.post('/api/users/invite', { email })).status).toBe(201);
    return here.service.mailbox.secretFor(email);
  };

  const acceptAs = async (sub: string, invitation_token: string) => {
    const browser = here.browser();
    const response = await browser.request('https://vitrine.test/login/invitation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-csrf': '1', origin: 'https://vitrine.test' },
      body: JSON.stringify({ invitation_token }),
    });
    expect(response.status).toBe(204);
    const proof = newProof();
    const page = await goAs(browser, sub, loginUrl(proof));
    return { page, tokens: () => here.exchange(page.url.searchParams.get('code') ?? '', proof.verifier) };
  };

  const latestRefusal = async (): Promise<unknown> => {
    const [event] = await here.service.database.query<object[]>(
      `SELECT details->>'reason' AS reason, target_id FROM audit_events WHERE action = 'sign_in_failed'
       ORDER BY at DESC, id DESC LIMIT 1`,
    );
    return event;
  };

  test('creates the invited account with the invited address, and links it', async () => {
    const secret = await invite('invited@private.example');
    const { tokens } = await acceptAs('ines', secret);
    const { body } = await tokens();
    expect((await me(body.access_token)).body).toMatchObject({
      email: 'invited@private.example',
      name: 'ines',
    });
    expect((await here.signIn('ines')).status).toBe(200);
    const { page } = await acceptAs('jo', secret);
    expect(page.text).toContain('invitation_accepted');
  });

  test('an invited user without the secret is refused, whatever the address', async () => {
    await invite('kim@private.example');
    expect((await here.arrive('kim')).status).toBe(403);
  });

  test('a user who has an account adds it to that account by the link in an email to the invited address', async () => {
    const { factory, clock, mailbox, database } = here.service;
    const user = await factory.user();
    await link(user, { subject: 'lea' });
    const sales = await factory.workspace();
    const email = 'second@private.example';
    const workspaces = [{ workspace_id: sales.id, role: 'editor' }];
    expect((await admin.post('/api/users/invite', { email, workspaces })).status).toBe(201);
    const first = await mailbox.secretFor(email);
    clock.advance(61);
    const { page } = await acceptAs('lea', first);
    expect(page.status).toBe(409);
    expect(page.text).toContain('identity_taken');
    expect(await latestRefusal()).toEqual({ reason: 'identity_taken', target_id: null });
    const second = await mailbox.nextSecretFor(email, first);
    expect((await mailbox.mailTo(email)).text).toContain('sign in with that account');
    expect((await acceptAs('lea', first)).page.text).toContain('invalid_invitation');
    const { body } = await (await acceptAs('lea', second)).tokens();
    expect((await me(body.access_token)).body).toMatchObject({
      id: user.id,
      email: user.email,
      grants: [{ workspace_id: sales.id, role: 'editor', source: 'manual' }],
    });
    expect(await database.query('SELECT FROM users WHERE email = $1', [email])).toEqual([]);
    const [event] = await database.query(
      `SELECT actor_id FROM audit_events WHERE action = 'invitation_accepted' ORDER BY id DESC LIMIT 1`,
    );
    expect(event).toEqual({ actor_id: user.id });
    expect((await acceptAs('lea', second)).page.text).toContain('invitation_accepted');
  });

  test('a user who has an account cannot accept one as an admin, nor one for the account of another person', async () => {
    const user = await here.service.factory.user();
    const other = await here.service.factory.user({ status: 'disabled' });
    await link(user, { subject: 'max' });
    const invitedAsAdmin = { email: 'chief@private.example', role: 'admin' };
    expect((await admin.post('/api/users/invite', invitedAsAdmin)).status).toBe(201);
    for (const secret of [
      await here.service.mailbox.secretFor(invitedAsAdmin.email),
      await invite(other.email),
    ]) {
      const { page } = await acceptAs('max', secret);
      expect(page.status).toBe(409);
      expect(page.text).toContain('identity_taken');
      expect(await latestRefusal()).toEqual({ reason: 'identity_taken', target_id: user.id });
    }
    const users = await here.service.database.query(
      `SELECT FROM users WHERE email = 'chief@private.example' OR id = $1 AND role = 'admin'`,
      [user.id],
    );
    expect(users).toEqual([]);
  });
});
