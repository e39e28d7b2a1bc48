import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import { scimClient } from '../scim/scim-client.js';
import { patchOf } from '../scim/scim-service.js';
import { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { newProof, person, type SignIn, startSignIn } from '../support/sign-in.js';
import { until } from '../support/until.js';

const another = 'violet lamp drinks tea';
const rules = { rules: [{ name: 'Staff', when: { email_domains: ['vitrine.example'] }, admit: true }] };
const people = ['ada', 'ben', 'cleo', 'dan'].map((sub) => person(sub));

let here: SignIn;
let admin: Client;
let user: User;

beforeAll(async () => {
  here = await startSignIn(people, rules);
});
afterAll(() => here.close());
beforeEach(async () => {
  here.service.clock.advance(61);
  admin = await here.service.asAdmin();
  user = await here.service.factory.user();
});

const token = (body: object) => here.service.api.post<Record<string, string>>('/api/auth/token', body);
const requestReset = (email: string) => token({ grant_type: 'password_reset_request', email });
const reset = (reset_token: string) =>
  token({ grant_type: 'password_reset', reset_token, password: 'six blue otters on ice' });
/** The mail of a password change may arrive before or after it. */
async function resetLink(email = user.email): Promise<string> {
  await requestReset(email);
  return until(async () => {
    const links = (await mailsTo(email)).map(
      ({ text }) => /password-reset#token=([\w-]+)/.exec(text ?? '')?.[1],
    );
    return links.find((link) => link !== undefined);
  });
}
const changePassword = async () =>
  (await here.service.as(user)).put('/api/users/me/password', {
    current_password: password,
    new_password: another,
  });
const setStatus = (id: string, status: string) => admin.patch(`/api/users/${id}`, { status });
const mailsTo = (email: string) => here.service.mailbox.mailsTo(email);
const idOf = async (sub: string): Promise<string> => {
  const { body } = await admin.get<{ users: { id: string }[] }>(`/api/users?q=${sub}@vitrine.example`);
  return body.users[0]!.id;
};

/** A one-time code that is not exchanged yet, and what exchanges it. */
async function loginCode(sub: string) {
  const proof = newProof();
  const { url } = await here.arrive(sub, proof);
  return () => here.exchange(url.searchParams.get('code') ?? '', proof.verifier);
}

describe('pending password-reset links (M5)', () => {
  test('are void after a password change', async () => {
    const secret = await resetLink();
    expect((await changePassword()).status).toBe(204);
    expect(await reset(secret)).toMatchObject({ status: 400, body: { code: 'invalid_password_reset' } });
    expect((await token({ email: user.email, password: another })).status).toBe(200);
  });

  test('are void after disabling, even when the user is active again', async () => {
    const secret = await resetLink();
    await setStatus(user.id, 'disabled');
    await setStatus(user.id, 'active');
    expect((await reset(secret)).body.code).toBe('invalid_password_reset');
    expect((await token({ email: user.email, password })).status).toBe(200);
  });

  test('are void after SCIM has moved the account to another address', async () => {
    const idp = await scimClient(here.service);
    const secret = await resetLink();
    const path = `/scim/v2/Users/${user.id}`;
    const moved = `moved.${user.email}`;
    const change = patchOf({ op: 'replace', path: 'emails[type eq "work"].value', value: moved });
    expect((await idp.patch(path, change)).status).toBe(200);
    expect((await reset(secret)).body.code).toBe('invalid_password_reset');
    here.service.clock.advance(61);
    expect((await reset(await resetLink(moved))).status).toBe(204);
  });

  test('are not sent for a request made before the change whose email was still queued', async () => {
    here.service.mailbox.refuseWith({ responseCode: 451, message: 'Come back later' });
    await requestReset(user.email);
    expect((await changePassword()).status).toBe(204);
    here.service.mailbox.refuseWith();
    await here.service.database.query(
      `UPDATE pgboss.job SET state = 'retry', start_after = now()
       WHERE name = 'password_reset_mail' AND data->>'email' = $1`,
      [user.email],
    );
    await here.service.database.query(
      `UPDATE pgboss.job SET start_after = now() WHERE name = 'password_changed_mail' AND state = 'retry'`,
    );
    await here.service.waitForJobs();
    const subjects = (await mailsTo(user.email)).map(({ subject }) => subject);
    expect(subjects).not.toContain('Reset your password');
  });

  test('are void after erasure', async () => {
    const secret = await resetLink();
    await setStatus(user.id, 'disabled');
    expect((await admin.post(`/api/users/${user.id}/erase`)).status).toBe(204);
    expect((await reset(secret)).body.code).toBe('invalid_password_reset');
  });

  test('work when they were requested after the change', async () => {
    await changePassword();
    here.service.clock.advance(1);
    expect((await reset(await resetLink())).status).toBe(204);
  });
});

describe('one-time codes of the platform sign-in (M5)', () => {
  test('are void after disabling, even when the user is active again', async () => {
    const exchange = await loginCode('ada');
    const id = await idOf('ada');
    await setStatus(id, 'disabled');
    await setStatus(id, 'active');
    expect((await exchange()).body).toMatchObject({ code: 'invalid_login_code' });
  });

  test('are void after a password change and a reset', async () => {
    const { body } = await here.signIn('ben');
    await here.service.database.query(
      `UPDATE users SET password_hash = (SELECT password_hash FROM users WHERE id = $1) WHERE email = 'ben@vitrine.example'`,
      [user.id],
    );
    const change = { current_password: password, new_password: another };
    const first = await loginCode('ben');
    const ben = new Client(here.service.url, body.access_token);
    expect((await ben.put('/api/users/me/password', change)).status).toBe(204);
    expect((await first()).status).toBe(400);
    here.service.clock.advance(61);
    const second = await loginCode('ben');
    expect((await reset(await resetLink('ben@vitrine.example'))).status).toBe(204);
    expect((await second()).status).toBe(400);
  });

  test('are void after an admin ends all sessions or unlinks the identity', async () => {
    const first = await loginCode('cleo');
    const id = await idOf('cleo');
    expect((await admin.delete(`/api/users/${id}/sessions`)).status).toBe(204);
    expect((await first()).status).toBe(400);
    const second = await loginCode('cleo');
    const { body } = await admin.get<{ identities: { id: string }[] }>(`/api/users/${id}/identities`);
    const path = `/api/users/${id}/identities/${body.identities[0]!.id}`;
    expect((await admin.delete(path)).status).toBe(204);
    expect((await second()).status).toBe(400);
  });
});

describe('invitation links to the address of an account (M5)', () => {
  const accept = (invitation_token: string) =>
    token({ grant_type: 'invitation', invitation_token, password: another });

  test('do not reactivate a user who was disabled later', async () => {
    const email = 'dan@vitrine.example';
    await admin.post('/api/users/invite', { email });
    const secret = await here.service.mailbox.secretFor(email);
    await here.signIn('dan');
    await setStatus(await idOf('dan'), 'disabled');
    expect(await accept(secret)).toMatchObject({ status: 400, body: { code: 'invitation_accepted' } });
  });

  test('sent by an admin after disabling reactivate the user', async () => {
    await setStatus(user.id, 'disabled');
    expect((await admin.post('/api/users/invite', { email: user.email })).status).toBe(201);
    expect((await accept(await here.service.mailbox.secretFor(user.email))).status).toBe(200);
  });

  /** The link by which an admin lets a disabled person in again. */
  async function reactivationLink(): Promise<string> {
    await setStatus(user.id, 'disabled');
    expect((await admin.post('/api/users/invite', { email: user.email })).status).toBe(201);
    return here.service.mailbox.secretFor(user.email);
  }

  test('sent by an admin after disabling remain valid when the user is disabled again', async () => {
    const secret = await reactivationLink();
    const change = { status: 'disabled', name: 'Renamed' };
    expect((await admin.patch(`/api/users/${user.id}`, change)).status).toBe(200);
    expect((await accept(secret)).status).toBe(200);
  });

  test('sent by an admin after disabling are void when SCIM deletes the user', async () => {
    const secret = await reactivationLink();
    const idp = await scimClient(here.service);
    expect((await idp.delete(`/scim/v2/Users/${user.id}`)).status).toBe(204);
    expect((await accept(secret)).body.code).toBe('invalid_invitation');
  });
});
