import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { password } from './support/factory.js';
import { accepted, guessTimes } from './support/guessing.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

const another = 'violet lamp drinks tea';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const token = (body: object) => service.api.post<Record<string, string>>('/api/auth/token', body);
const request = (email: string) => token({ grant_type: 'password_reset_request', email });
const reset = (reset_token: string, given = another) =>
  token({ grant_type: 'password_reset', reset_token, password: given });

async function secretFor(email: string): Promise<string> {
  expect((await request(email)).status).toBe(202);
  return service.mailbox.secretFor(email);
}

/** The queue works in order: once this mail is there, everything asked for before it was dealt with. */
async function untilDealtWith(): Promise<void> {
  const last = await service.factory.user();
  await secretFor(last.email);
}

const mailsTo = (email: string): number => {
  const all = service.mailbox.mails.map((mail) => mail.toString());
  return all.filter((mail) => mail.includes(`To: ${email}`) && mail.includes('Reset your password')).length;
};

describe('grant password_reset_request', () => {
  test('AUTH-23 AUTH-30 202: an email with a link to the configured origin', async () => {
    const { email } = await service.factory.user();
    const response = await request(email);
    expect(response).toMatchObject({ status: 202, body: {} });
    const mail = await service.mailbox.mailTo(email);
    expect(mail.text).toMatch(/https:\/\/vitrine\.test\/password-reset#token=[\w-]{43}\s/);
  });

  test('AUTH-23 202: the same response for unknown or disabled accounts, but no email', async () => {
    const disabled = await service.factory.user({ status: 'disabled' });
    const withoutPassword = await service.factory.user({ passwordHash: null });
    const emails = ['nobody@example.com', disabled.email, withoutPassword.email];
    for (const email of emails) expect(await request(email)).toMatchObject({ status: 202, body: {} });
    await untilDealtWith();
    for (const email of emails) expect(mailsTo(email)).toBe(0);
    const [row] = await service.database.query<{ count: number }[]>(
      'SELECT count(*)::int FROM password_resets WHERE user_id = ANY ($1)',
      [[disabled.id, withoutPassword.id]],
    );
    expect(row?.count).toBe(0);
  });

  test('AUTH-28 202: one email per minute and address', async () => {
    const { email } = await service.factory.user();
    const first = await secretFor(email);
    await Promise.all([request(email), request(email), request(email)]);
    await untilDealtWith();
    expect(mailsTo(email)).toBe(1);
    expect((await reset(first)).status).toBe(204);
  });

  test('AUTH-24 the database contains no usable secret', async () => {
    const ada = await service.factory.user();
    const secret = await secretFor(ada.email);
    const rows = await service.database.query<{ secret_hash: Buffer }[]>(
      'SELECT secret_hash FROM password_resets WHERE user_id = $1',
      [ada.id],
    );
    expect(rows[0]?.secret_hash).toEqual(createHash('sha256').update(secret).digest());
    const jobs = await service.database.query<{ found: string }[]>(
      `SELECT data::text AS found FROM pgboss.job WHERE name LIKE 'password_reset%'`,
    );
    expect(jobs.length).toBeGreaterThan(0);
    expect(JSON.stringify(jobs)).not.toContain(secret);
  });
});

describe('grant password_reset', () => {
  test('AUTH-36 204: the new password signs in, the reset itself does not', async () => {
    const { email } = await service.factory.user();
    const response = await reset(await secretFor(email));
    expect(response).toMatchObject({ status: 204, body: {} });
    expect((await token({ email, password: another })).status).toBe(200);
    expect((await token({ email, password })).status).toBe(401);
  });

  test('204: every session ends, with an audit event and an email', async () => {
    const ada = await service.factory.user();
    const api = await service.as(ada);
    await reset(await secretFor(ada.email));
    expect((await api.get('/api/users/me')).status).toBe(401);
    await until(
      async () => (await service.mailbox.mailTo(ada.email)).subject === 'Your password was changed',
    );
    const rows = await service.database.query<object[]>(
      `SELECT actor_id FROM audit_events WHERE action = 'password_reset' AND target_id = $1`,
      [ada.id],
    );
    expect(rows).toEqual([{ actor_id: ada.id }]);
  });

  test('AUTH-19 204: also while the account is locked; the reset unlocks it', async () => {
    const { email } = await service.factory.user();
    expect(await guessTimes(6, { url: service.url, email })).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await reset(await secretFor(email))).status).toBe(204);
    expect((await token({ email, password: another })).status).toBe(200);
  });

  test('AUTH-25 a link works once, also when used twenty times concurrently', async () => {
    const { email } = await service.factory.user();
    const secret = await secretFor(email);
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, count) => accepted(() => reset(secret, `${another} ${count}`))),
    );
    expect(responses.filter(({ status }) => status === 204)).toHaveLength(1);
    const refused = responses.filter(({ status }) => status !== 204);
    expect(new Set(refused.map(({ body }) => body.code))).toEqual(new Set(['invalid_password_reset']));
    expect((await reset(secret)).status).toBe(400);
  });

  test('AUTH-26 a link expires after 30 minutes', async () => {
    const [ada, grace] = [await service.factory.user(), await service.factory.user()];
    const [early, late] = [await secretFor(ada.email), await secretFor(grace.email)];
    service.clock.advance(30 * 60 - 20);
    expect((await reset(early)).status).toBe(204);
    service.clock.advance(21);
    expect((await reset(late)).body.code).toBe('invalid_password_reset');
  });

  test('AUTH-27 a new link voids the previous one', async () => {
    const { email } = await service.factory.user();
    const old = await secretFor(email);
    service.clock.advance(61);
    await request(email);
    const fresh = await until(async () => {
      const secret = await service.mailbox.secretFor(email);
      return secret === old ? undefined : secret;
    });
    expect((await reset(old)).body.code).toBe('invalid_password_reset');
    expect((await reset(fresh)).status).toBe(204);
  });

  test('AUTH-06 a rejected password does not consume the link', async () => {
    const { email } = await service.factory.user();
    const secret = await secretFor(email);
    expect((await reset(secret, 'passwordpassword')).body.code).toBe('password_rejected');
    expect((await reset(secret, email)).body.code).toBe('password_rejected');
    expect((await reset(secret)).status).toBe(204);
  });

  test('a user who has been disabled in the meantime cannot reset the password', async () => {
    const ada = await service.factory.user();
    const secret = await secretFor(ada.email);
    await service.database.query(`UPDATE users SET status = 'disabled' WHERE id = $1`, [ada.id]);
    expect((await reset(secret)).body.code).toBe('invalid_password_reset');
  });
});
