import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from './support/client.js';
import { password } from './support/factory.js';
import { accepted } from './support/guessing.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const accept = (invitation_token: string, more: object = {}) =>
  service.api.post('/api/auth/token', { grant_type: 'invitation', invitation_token, password, ...more });

/** Invites and waits for the mail. */
async function invited(email: string, body: object = {}, inviter?: Client): Promise<string> {
  const by = inviter ?? (await service.asAdmin());
  expect((await by.post('/api/users/invite', { email, ...body })).status).toBe(201);
  return service.mailbox.secretFor(email);
}

describe('POST /api/auth/token with an invitation', () => {
  test('200: creates the account with its grants, and signs in', async () => {
    const sales = await service.factory.workspace();
    const secret = await invited('grace@example.com', {
      name: 'Grace',
      workspaces: [{ workspace_id: sales.id, role: 'editor' }],
    });
    const { status, body } = await accept(secret);
    expect(status).toBe(200);
    expect(body).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
    const grace = new Client(service.url, body.access_token as string);
    expect((await grace.get('/api/users/me')).body).toMatchObject({
      email: 'grace@example.com',
      name: 'Grace',
      role: 'member',
      last_sign_in_at: expect.any(String),
      grants: [{ workspace_id: sales.id, role: 'editor', source: 'manual', expires_at: null }],
    });
    expect(await service.api.post('/api/auth/token', { email: 'grace@example.com', password })).toMatchObject(
      {
        status: 200,
      },
    );
  });

  test('200: with a name chosen by the user', async () => {
    const secret = await invited('joan@example.com', { name: 'J.' });
    const { body } = await accept(secret, { name: 'Joan' });
    const joan = new Client(service.url, body.access_token as string);
    expect((await joan.get('/api/users/me')).body.name).toBe('Joan');
  });

  test('200: one of twenty concurrent acceptances succeeds', async () => {
    const secret = await invited('radia@example.com');
    const responses = await Promise.all(Array.from({ length: 20 }, () => accepted(() => accept(secret))));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ body }) => body.code === 'invitation_accepted')).toHaveLength(19);
  });

  test('400: an unknown secret', async () => {
    const response = await accept('c'.repeat(43));
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_invitation' } });
  });

  test('400: an accepted invitation', async () => {
    const secret = await invited('barbara@example.com');
    await accept(secret);
    expect(await accept(secret)).toMatchObject({ status: 400, body: { code: 'invitation_accepted' } });
  });

  test('400: after 72 hours', async () => {
    const secret = await invited('katherine@example.com');
    service.clock.advance(72 * 3600);
    expect(await accept(secret)).toMatchObject({ status: 400, body: { code: 'invitation_expired' } });
  });

  test.each([
    ['is disabled', `UPDATE users SET status = 'disabled' WHERE id = $1`, 'dorothy@example.com'],
    ['is no longer an admin', `UPDATE users SET role = 'member' WHERE id = $1`, 'mary@example.com'],
  ])('400: the inviter of an admin %s', async (_name, sql, email) => {
    const inviter = await service.factory.admin();
    const secret = await invited(email, { role: 'admin' }, await service.as(inviter));
    await service.database.query(sql, [inviter.id]);
    expect(await accept(secret)).toMatchObject({ status: 400, body: { code: 'invitation_revoked' } });
  });

  test('400: a password of the wrong length does not consume the invitation', async () => {
    const secret = await invited('annie@example.com');
    for (const rejected of ['fourteen chars', 'x'.repeat(129)]) {
      const response = await accept(secret, { password: rejected });
      expect(response).toMatchObject({
        status: 400,
        body: { code: 'password_rejected', errors: [{ pointer: '/password' }] },
      });
    }
    expect((await accept(secret)).status).toBe(200);
  });

  test('400: missing or unknown fields', async () => {
    const response = await service.api.post('/api/auth/token', { grant_type: 'invitation', role: 'admin' });
    const errors = response.body.errors as { pointer: string }[];
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(
      new Set(['/role', '/invitation_token', '/password']),
    );
  });

  test('a grant whose inviter has since lost the workspace is not created', async () => {
    const [sales, other] = [await service.factory.workspace(), await service.factory.workspace()];
    const manager = await service.factory.user();
    await service.factory.grant(manager, sales, 'manager');
    await service.factory.grant(manager, other, 'manager');
    const workspaces = [sales, other].map(({ id }) => ({ workspace_id: id, role: 'viewer' }));
    const secret = await invited('evelyn@example.com', { workspaces }, await service.as(manager));
    await service.database.query('DELETE FROM grants WHERE workspace_id = $1', [sales.id]);
    const { body } = await accept(secret);
    const evelyn = new Client(service.url, body.access_token as string);
    expect((await evelyn.get('/api/users/me')).body.grants).toMatchObject([{ workspace_id: other.id }]);
  });
});
