import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoTenant } from '../../packages/power-bi-emulator/demo-tenant.js';
import type { User } from '../../src/users/user.entity.js';
import { Client } from '../support/client.js';
import { goAs, loginUrl, newProof, person, type SignIn, startSignIn } from '../support/sign-in.js';

let here: SignIn;
let admin: Client;

const oid = randomUUID();
const invited = (sub: string) => person(sub, { email: `${sub}@private.example` });

beforeAll(async () => {
  const rules = {
    rules: [{ name: 'Staff', when: { groups: ['staff'] }, role: 'admin', attributes: { team: 'A' } }],
  };
  const tenant = person('tess', { tid: demoTenant.tenantId, oid });
  const people = ['ada', 'ben', 'cleo', 'dan'].map((sub) => person(sub, { groups: ['staff'] }));
  here = await startSignIn([...people, tenant, ...['ines', 'jo', 'kim', 'lea'].map(invited)], rules);
  admin = await here.service.asAdmin();
});
afterAll(() => here.close());

const link = ({ id }: User, body: object) => admin.post<{ id: string }>(`/api/users/${id}/identities`, body);
const me = (token: string) => new Client(here.service.url, token).get('/api/users/me');

describe('POST /api/users/:id/identities', () => {
  test('201: lets a person in as this subject, whatever the e-mail says', async () => {
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

  test('201: by the ids of Entra; the first sign-in fills in the subject', async () => {
    const user = await here.service.factory.user();
    expect((await link(user, { tenant_id: demoTenant.tenantId, object_id: oid })).body).toMatchObject({
      subject: null,
    });
    expect((await me((await here.signIn('tess')).body.access_token)).body).toMatchObject({ id: user.id });
    const { body } = await admin.get<{ identities: object[] }>(`/api/users/${user.id}/identities`);
    expect(body.identities).toEqual([expect.objectContaining({ subject: 'tess', object_id: oid })]);
  });

  test('400: neither way, both ways, another tenant or another issuer', async () => {
    const user = await here.service.factory.user();
    const bodies = [
      {},
      { tenant_id: demoTenant.tenantId },
      { subject: 'x', tenant_id: demoTenant.tenantId, object_id: oid },
      { tenant_id: randomUUID(), object_id: oid },
      { subject: 'x', issuer: 'https://evil.test' },
    ];
    const answers = await Promise.all(bodies.map((body) => link(user, body)));
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
  });

  test('403 for members, 404 for nobody, 409 for an identity that somebody has', async () => {
    const [user, other] = [await here.service.factory.user(), await here.service.factory.user()];
    const member = await here.service.as(user);
    expect((await member.post(`/api/users/${user.id}/identities`, { subject: 'ben' })).status).toBe(403);
    expect((await admin.post(`/api/users/${randomUUID()}/identities`, { subject: 'ben' })).status).toBe(404);
    await link(user, { subject: 'ben' });
    expect((await link(other, { subject: 'ben' })).body).toMatchObject({ code: 'identity_taken' });
  });
});

describe('DELETE /api/users/:id/identities/:identity_id', () => {
  test('OBS-01 204: takes back what came with it and ends the sessions that rest on it', async () => {
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

  test('AZ-04 404: an identity of somebody else', async () => {
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
    const visitor = here.visitor();
    const answer = await visitor.visit('https://vitrine.test/login/invitation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vitrine-csrf': '1', origin: 'https://vitrine.test' },
      body: JSON.stringify({ invitation_token }),
    });
    expect(answer.status).toBe(204);
    const proof = newProof();
    const page = await goAs(visitor, sub, loginUrl(proof));
    return { page, tokens: () => here.exchange(page.url.searchParams.get('code') ?? '', proof.verifier) };
  };

  test('makes the account that was invited, under its address, and links it', async () => {
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

  test('the address never stands in for it: an invited person without the secret stays out', async () => {
    await invite('kim@private.example');
    expect((await here.arrive('kim')).status).toBe(403);
  });

  test('somebody who has an account already accepts for nobody else', async () => {
    const user = await here.service.factory.user();
    await link(user, { subject: 'lea' });
    const { page } = await acceptAs('lea', await invite('another@private.example'));
    expect(page.status).toBe(409);
    expect(page.text).toContain('identity_taken');
    const users = await here.service.database.query(
      `SELECT FROM users WHERE email = 'another@private.example'`,
    );
    expect(users).toEqual([]);
  });
});
