import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { Client } from '../support/client.js';
import { lockRows } from '../support/row-lock.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Result {
  email: string;
  invitation?: { status: string; delivery: string };
  problem?: { code: string; retry_after?: number };
}

const path = '/api/invitations/resend';
const DAY = 86_400;

let service: Service;
let sales: Workspace;
let finance: Workspace;
let admin: Client;

beforeAll(async () => {
  service = await startService({
    RATE_LIMIT_INVITATIONS_PER_HOUR: '6',
    RATE_LIMIT_BULK_INVITATIONS_PER_DAY: '8',
  });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.database.query('UPDATE invitations SET revoked_at = now() WHERE accepted_at IS NULL');
  sales = await service.factory.workspace();
  finance = await service.factory.workspace();
  admin = await service.asAdmin();
});

async function invite(email: string, ...workspaces: Workspace[]): Promise<string> {
  const { status, body } = await admin.post<{ id: string }>('/api/users/invite', {
    email,
    workspaces: workspaces.map(({ id }) => ({ workspace_id: id, role: 'viewer' })),
  });
  expect(status).toBe(201);
  return body.id;
}

interface Resent {
  results: Result[];
  mailed_before: string;
}

async function resendBefore(by: Client, mailed_before?: string): Promise<Resent> {
  const { status, body } = await by.post<Resent>(path, mailed_before && { mailed_before });
  expect(status).toBe(200);
  return body;
}

/** A new client, because time passes. */
const resend = async (by: Client): Promise<Result[]> => (await resendBefore(by)).results;
const addresses = (results: Result[]) => results.map(({ email }) => email);

describe('POST /api/invitations/resend', () => {
  test('200: pending and expired invitations get a new link by email, once', async () => {
    const accepted = await invite('accepted@example.com');
    await invite('expired@example.com');
    const revoked = await invite('revoked@example.com');
    await admin.delete(`/api/invitations/${revoked}`);
    await service.api.post('/api/auth/token', {
      grant_type: 'invitation',
      invitation_token: await service.mailbox.secretFor('accepted@example.com'),
      password: 'a long enough password',
    });
    const older = await service.mailbox.secretFor('expired@example.com');
    service.clock.advance(4 * DAY);
    admin = await service.asAdmin();
    await invite('pending@example.com');
    expect(addresses(await resend(admin))).toEqual(['expired@example.com']);
    service.clock.advance(61);
    const results = await resend(admin);
    // The longest without an email is first.
    expect(results).toMatchObject([
      { email: 'pending@example.com', invitation: { status: 'pending', delivery: 'queued' } },
      { email: 'expired@example.com', invitation: { status: 'pending', delivery: 'queued' } },
    ]);
    expect(await resend(admin)).toEqual([]);
    const newer = await service.mailbox.nextSecretFor('expired@example.com', older);
    expect(newer).not.toBe(older);
    expect((await admin.get<{ status: string }>(`/api/invitations/${accepted}`)).body.status).toBe(
      'accepted',
    );
  });

  test('200: nothing for an invitation that expired more than 30 days ago', async () => {
    await invite('old@example.com');
    service.clock.advance(34 * DAY);
    expect(await resend(await service.asAdmin())).toEqual([]);
  });

  test('200: a manager resends only invitations into workspaces that the manager manages', async () => {
    await invite('inside@example.com', sales);
    await invite('outside@example.com', finance);
    await invite('both@example.com', sales, finance);
    service.clock.advance(61);
    const viewer = await service.asMember(sales, 'viewer');
    const manager = await service.asMember(sales, 'manager');
    expect(await resend(viewer)).toEqual([]);
    expect(addresses(await resend(manager))).toEqual(['inside@example.com']);
  });

  /** By a manager who may no longer invite. */
  async function inviteVoid(email: string): Promise<string> {
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    const { body } = await (
      await service.as(chief)
    ).post<{ id: string }>('/api/users/invite', {
      email,
      workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
    });
    await service.mailbox.secretFor(email);
    await admin.delete(`/api/workspaces/${sales.id}/members/${chief.id}`);
    service.clock.advance(1);
    return body.id;
  }

  test('200: leaves out an invitation whose inviter may no longer invite, which alone is a 409', async () => {
    const id = await inviteVoid('void@example.com');
    await invite('valid@example.com', sales);
    service.clock.advance(61);
    expect(await admin.post(`/api/invitations/${id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'invitation_not_pending', detail: expect.stringContaining('Create a new invitation') },
    });
    expect(addresses(await resend(admin))).toEqual(['valid@example.com']);
    expect(await resend(admin)).toEqual([]);
    await service.waitForJobs();
    expect(await service.mailbox.mailsTo('void@example.com')).toHaveLength(1);
  });

  test('200: leaves out what has expired: it alone is a 409, and an email contains only the rest', async () => {
    const [brief, lasting] = [
      await service.factory.workspace({ name: 'Budget' }),
      await service.factory.workspace({ name: 'Payroll' }),
    ];
    const chief = await service.factory.user();
    for (const workspace of [brief, lasting]) await service.factory.grant(chief, workspace, 'manager');
    const manager = await service.as(chief);
    const expires_at = service.clock.in(3600).toISOString();
    const invited = async (email: string, ...more: object[]): Promise<string> => {
      const workspaces = [{ workspace_id: brief.id, role: 'viewer', expires_at }, ...more];
      return (await manager.post<{ id: string }>('/api/users/invite', { email, workspaces })).body.id;
    };
    const over = await invited('over@example.com');
    await invited('part@example.com', { workspace_id: lasting.id, role: 'viewer' });
    const older = await service.mailbox.secretFor('part@example.com');
    service.clock.advance(3601);
    admin = await service.asAdmin();
    expect(await admin.post(`/api/invitations/${over}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'invitation_not_pending', detail: expect.stringContaining('has expired') },
    });
    expect(addresses(await resend(admin))).toEqual(['part@example.com']);
    await service.mailbox.nextSecretFor('part@example.com', older);
    const { text } = await service.mailbox.mailTo('part@example.com');
    expect(text).toContain('Payroll');
    expect(text).not.toContain('Budget');
  });

  test('200: an expired invitation of another inviter reaches the account that the address has meanwhile', async () => {
    const email = 'late@example.com';
    const chief = await service.factory.user();
    await service.factory.grant(chief, sales, 'manager');
    const workspaces = [{ workspace_id: sales.id, role: 'viewer' }];
    expect((await (await service.as(chief)).post('/api/users/invite', { email, workspaces })).status).toBe(
      201,
    );
    const older = await service.mailbox.secretFor(email);
    service.clock.advance(4 * DAY);
    admin = await service.asAdmin();
    await invite(email, finance);
    const { body } = await service.api.post<{ access_token: string }>('/api/auth/token', {
      grant_type: 'invitation',
      invitation_token: await service.mailbox.nextSecretFor(email, older),
      password: 'a long enough password',
    });
    service.clock.advance(61);
    expect(addresses(await resend(await service.as(chief)))).toEqual([email]);
    const mails = await until(async () => {
      const received = await service.mailbox.mailsTo(email);
      return received.length === 3 && received;
    });
    expect(mails[2]?.text).not.toContain('#token=');
    const owner = new Client(service.url, body.access_token);
    await until(async () => (await owner.get(`/api/workspaces/${sales.id}`)).status === 200);
  });

  test('200: an invitation reaches an account that exists meanwhile and never proved its address', async () => {
    const email = 'created@example.com';
    await invite(email, sales);
    const user = await service.factory.user({ email });
    service.clock.advance(61);
    expect(addresses(await resend(await service.asMember(sales, 'manager')))).toEqual([email]);
    const mails = await until(async () => {
      const received = await service.mailbox.mailsTo(email);
      return received.length === 2 && received;
    });
    expect(mails[1]?.text).not.toContain('#token=');
    const owner = await service.as(user);
    await until(async () => (await owner.get(`/api/workspaces/${sales.id}`)).status === 200);
  });

  test('409: an invitation as admin does not reach an account that never proved its address', async () => {
    const email = 'claimed@example.com';
    const { body } = await admin.post<{ id: string }>('/api/users/invite', { email, role: 'admin' });
    const user = await service.factory.user({ email });
    service.clock.advance(61);
    expect(await admin.post(`/api/invitations/${body.id}/resend`)).toMatchObject({
      status: 409,
      body: { code: 'invitation_not_pending', detail: expect.stringContaining('has an active account') },
    });
    expect((await (await service.as(user)).get('/api/users')).status).toBe(403);
  });

  test('200: does not end for lack of time before its first result, because no result means that none is left', async () => {
    const id = await inviteVoid('slow@example.com');
    await invite('next@example.com', sales);
    service.clock.advance(61);
    const row = 'SELECT FROM invitations WHERE id = $1 FOR UPDATE';
    const { waiting, release } = await lockRows(service.databaseUrl, row, [id]);
    const results = resend(admin);
    try {
      await until(async () => (await waiting()) > 0);
      service.clock.advance(10);
    } finally {
      await release();
    }
    expect(addresses(await results)).toEqual(['next@example.com']);
  });

  test('200: ends at the limit of bulk invitations, with the time of a retry, and continues then', async () => {
    const manager = await service.asMember(sales, 'manager');
    const { body } = await manager.post<{ results: Result[] }>('/api/invitations/bulk', {
      workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
      users: Array.from({ length: 7 }, (_, index) => ({ email: `many-${index}@example.com` })),
    });
    expect(body.results.filter(({ invitation }) => invitation !== undefined)).toHaveLength(7);
    service.clock.advance(61);
    const [first, second, ...others] = await resend(manager);
    expect(first?.invitation).toBeDefined();
    expect(second?.problem).toMatchObject({ code: 'rate_limited' });
    expect(second?.problem?.retry_after).toBeGreaterThan(3600);
    expect(others).toEqual([]);
    // Single emails have a limit of their own.
    expect(
      (
        await manager.post('/api/users/invite', {
          email: 'single@example.com',
          workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
        })
      ).status,
    ).toBe(201);
  });

  test('200: a later request with the time of the first leaves out what that one resent', async () => {
    await invite('first@example.com', sales);
    service.clock.advance(61);
    const manager = await service.asMember(sales, 'manager');
    const first = await resendBefore(manager);
    expect(addresses(first.results)).toEqual(['first@example.com']);
    // As long as a large list takes.
    service.clock.advance(61);
    expect(await resendBefore(manager, first.mailed_before)).toEqual({ ...first, results: [] });
    // A time of the last minute, or one that is still to come, does not shorten the minute.
    const later = await resendBefore(manager, service.clock.in(3600).toISOString());
    expect(addresses(later.results)).toEqual(['first@example.com']);
    expect(Date.parse(later.mailed_before)).toBeLessThanOrEqual(service.clock.in(-60).getTime());
    expect((await resendBefore(manager, service.clock.in(3600).toISOString())).results).toEqual([]);
  });

  test('400 for a time that is none, and for an unknown member', async () => {
    expect(await admin.post(path, { mailed_before: 'yesterday' })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/mailed_before' }] },
    });
    expect((await admin.post(path, { before: '2026-11-21' })).status).toBe(400);
  });

  test('401 without a token', async () => {
    expect((await service.api.post(path)).status).toBe(401);
  });
});
