import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const preview = (token: string) => service.api.post('/login/invitation/preview', { token });
const accept = (invitation_token: string) =>
  service.api.post('/api/auth/token', { grant_type: 'invitation', invitation_token, password });

async function invited(email: string, body: object = {}, inviter?: Client): Promise<string> {
  const by = inviter ?? (await service.asAdmin());
  expect((await by.post('/api/users/invite', { email, ...body })).status).toBe(201);
  return service.mailbox.secretFor(email);
}

/** Both reject the link with the same problem, and the preview contains nothing else. */
async function expectRejected(secret: string, code: string): Promise<void> {
  const [shown, accepted] = [await preview(secret), await accept(secret)];
  expect(shown.status).toBe(400);
  expect({ ...shown.body, request_id: '', instance: '' }).toEqual({
    ...accepted.body,
    request_id: '',
    instance: '',
  });
  expect(shown.body.code).toBe(code);
}

describe('POST /login/invitation/preview', () => {
  test('200: who invites, to what, and which address', async () => {
    const sales = await service.factory.workspace({ name: 'Sales' });
    const finance = await service.factory.workspace({ name: 'Finance' });
    const budget = await service.factory.report(finance, { name: 'Budget' });
    const mona = await service.factory.admin({ name: 'Mona' });
    const secret = await invited(
      'grace@example.com',
      {
        name: 'Grace',
        workspaces: [{ workspace_id: sales.id, role: 'editor' }],
        reports: [{ report_id: budget.id, role: 'viewer' }],
      },
      await service.as(mona),
    );
    const { status, body, headers } = await preview(secret);
    expect(status).toBe(200);
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(body).toEqual({
      email: 'grace@example.com',
      name: 'Grace',
      role: 'member',
      invited_by_name: 'Mona',
      workspaces: [{ name: 'Sales', role: 'editor' }],
      reports: [{ name: 'Budget', role: 'viewer' }],
      expires_at: expect.any(String),
    });
  });

  test('200: changes nothing, so that the invitation can still be accepted', async () => {
    const secret = await invited('ida@example.com');
    expect((await preview(secret)).body).toEqual((await preview(secret)).body);
    expect((await accept(secret)).status).toBe(200);
  });

  test('200: only the access that the inviter may still give', async () => {
    const [sales, other] = [await service.factory.workspace(), await service.factory.workspace()];
    const manager = await service.factory.user();
    await service.factory.grant(manager, sales, 'manager');
    await service.factory.grant(manager, other, 'manager');
    const workspaces = [sales, other].map(({ id }) => ({ workspace_id: id, role: 'viewer' }));
    const secret = await invited('evelyn@example.com', { workspaces }, await service.as(manager));
    await service.database.query('DELETE FROM grants WHERE workspace_id = $1', [sales.id]);
    expect((await preview(secret)).body.workspaces).toEqual([{ name: other.name, role: 'viewer' }]);
  });

  test('200: without access that has expired; 400 if a manager gave nothing else', async () => {
    const [sales, other] = [await service.factory.workspace(), await service.factory.workspace()];
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    await service.factory.grant(chief, other, 'manager');
    const manager = await service.as(chief);
    const lasting = { workspace_id: other.id, role: 'viewer' };
    const expires_at = service.clock.in(3600).toISOString();
    const brief = { workspace_id: sales.id, role: 'viewer', expires_at };
    const some = await invited('lise@example.com', { workspaces: [brief, lasting] }, manager);
    const none = await invited('emmy@example.com', { workspaces: [brief] }, manager);
    service.clock.advance(3601);
    expect((await preview(some)).body.workspaces).toEqual([{ name: other.name, role: 'viewer' }]);
    await expectRejected(none, 'invitation_revoked');
  });

  test('400: an unknown secret', () => expectRejected('c'.repeat(43), 'invalid_invitation'));

  test('400: an accepted invitation', async () => {
    const secret = await invited('barbara@example.com');
    await accept(secret);
    await expectRejected(secret, 'invitation_accepted');
  });

  test('400: an account that was created by other means', async () => {
    const secret = await invited('hedy@example.com');
    await service.factory.user({ email: 'hedy@example.com' });
    await expectRejected(secret, 'invitation_accepted');
  });

  test('400: an account that a manager cannot enable', async () => {
    const manager = await service.factory.user();
    const sales = await service.factory.workspace();
    await service.factory.grant(manager, sales, 'manager');
    const workspaces = [{ workspace_id: sales.id, role: 'viewer' }];
    const secret = await invited('jean@example.com', { workspaces }, await service.as(manager));
    await service.factory.user({ email: 'jean@example.com', status: 'disabled' });
    await expectRejected(secret, 'invitation_revoked');
  });

  test('400: a revoked invitation', async () => {
    const secret = await invited('rosa@example.com');
    const admin = await service.asAdmin();
    const { body } = await admin.get<{ invitations: { id: string }[] }>('/api/invitations?q=rosa');
    expect((await admin.delete(`/api/invitations/${body.invitations[0]?.id}`)).status).toBe(204);
    await expectRejected(secret, 'invitation_revoked');
  });

  test('400: an inviter who is no longer an admin', async () => {
    const inviter = await service.factory.admin();
    const secret = await invited('mary@example.com', { role: 'admin' }, await service.as(inviter));
    await service.database.query(`UPDATE users SET role = 'member' WHERE id = $1`, [inviter.id]);
    await expectRejected(secret, 'invitation_revoked');
  });

  test('400: missing or unknown fields', async () => {
    const { status, body } = await service.api.post('/login/invitation/preview', { role: 'admin' });
    expect(status).toBe(400);
    const errors = body.errors as { pointer: string }[];
    expect(new Set(errors.map(({ pointer }) => pointer))).toEqual(new Set(['/role', '/token']));
  });

  test('400: after 72 hours', async () => {
    const secret = await invited('katherine@example.com');
    service.clock.advance(72 * 3600);
    await expectRejected(secret, 'invitation_expired');
  });
});
