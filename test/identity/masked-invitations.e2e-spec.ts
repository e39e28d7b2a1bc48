import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { ApiResponse, Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Invitation extends Record<string, unknown> {
  id: string;
  email: string;
  status: string;
  created_at: string;
  expires_at: string;
}

let service: Service;
let sales: Workspace;
let other: Workspace;
let admin: Client;
let manager: Client;
let count = 0;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  service.clock.advance(61);
  sales = await service.factory.workspace();
  other = await service.factory.workspace();
  admin = await service.asAdmin();
  manager = await service.asMember(sales, 'manager');
});

const into = ({ id }: Workspace, role = 'viewer') => ({ workspaces: [{ workspace_id: id, role }] });
const invite = (email: string, by = manager, more: object = into(sales), headers = {}) =>
  by.post<Invitation>('/api/users/invite', { email, ...more }, headers);
const newAddress = (): string => `masked-${(count += 1)}@example.com`;
const membersOf = async ({ id }: Workspace, by = manager): Promise<string[]> => {
  const { body } = await by.get<{ members: { email: string }[] }>(`/api/workspaces/${id}/members`);
  return body.members.map(({ email }) => email);
};

/** One address of each kind. */
const addresses: Record<string, () => Promise<string>> = {
  stranger: async () => newAddress(),
  member: async () => (await service.factory.user({ name: 'Secret Name' })).email,
  admin: async () => (await service.factory.admin({ name: 'Secret Name' })).email,
  disabled: async () => (await service.factory.user({ name: 'Secret Name', status: 'disabled' })).email,
  'invited by another': async () => {
    const email = newAddress();
    await invite(email, admin, { name: 'Secret Name', role: 'admin', ...into(other) });
    return email;
  },
  'invited by another manager': async () => {
    const { email } = await service.factory.user({ name: 'Secret Name' });
    await invite(email, await service.asMember(other, 'manager'), into(other));
    return email;
  },
};

/** What does not differ from one new invitation to the next. */
function fixed({ status, headers, body }: ApiResponse<Invitation>, email: string): object {
  const { id, created_at, expires_at, ...rest } = body;
  const life = Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1000);
  const age = service.clock.now().getTime() - Date.parse(created_at);
  const names = [...headers.keys()].filter((name) => name !== 'etag').toSorted();
  const text = JSON.stringify(rest).replaceAll(email, '<email>');
  return { status, names, id: typeof id, life, isNew: age < 10_000, text };
}

/** The same for an address of each kind. */
async function ofEach(
  work: (email: string) => Promise<ApiResponse<Invitation>>,
): Promise<Map<string, object>> {
  const found = new Map<string, object>();
  for (const [kind, make] of Object.entries(addresses)) {
    const email = await make();
    found.set(kind, fixed(await work(email), email));
  }
  return found;
}

function expectAlike(found: Map<string, object>, status: number): void {
  for (const [kind, seen] of found) expect([kind, seen]).toEqual([kind, found.get('stranger')]);
  expect(found.get('stranger')).toMatchObject({ status });
}

describe('what an invitation reveals to a manager', () => {
  test('201: inviting returns the same pending invitation for every address (L4)', async () => {
    expectAlike(await ofEach((email) => invite(email)), 201);
  });

  test('201: so does a repeated invitation, within a minute and later (L4)', async () => {
    for (const seconds of [0, 61]) {
      const again = async (email: string) => {
        const { body } = await invite(email);
        await service.waitForJobs();
        service.clock.advance(seconds);
        const second = await invite(email);
        expect(second.body.id).toBe(body.id);
        return { ...second, body: { ...second.body, created_at: '', expires_at: '' } };
      };
      expectAlike(await ofEach(again), 201);
    }
  });

  test('200: so do the list, the invitation, and the delivery status (L4)', async () => {
    const look = async (email: string) => {
      const { body } = await invite(email);
      const get = () => manager.get<Invitation>(`/api/invitations/${body.id}`);
      await until(async () => (await get()).body.delivery === 'sent');
      const { body: list } = await manager.get<{ invitations: Invitation[] }>(
        '/api/invitations?status=pending',
      );
      const found = await get();
      expect(list.invitations.find(({ id }) => id === body.id)).toEqual(found.body);
      return found;
    };
    expectAlike(await ofEach(look), 200);
  });

  test('200: so do resending and revoking (L4)', async () => {
    const resend = async (email: string) => {
      const { body } = await invite(email);
      service.clock.advance(61);
      const resent = await manager.post<Invitation>(`/api/invitations/${body.id}/resend`);
      expect((await manager.delete(`/api/invitations/${body.id}`)).status).toBe(204);
      const times = { created_at: '', expires_at: '' };
      return { ...resent, body: { ...resent.body, ...times } };
    };
    expectAlike(await ofEach(resend), 200);
  });

  test('201: so does a replay with the same idempotency key (L4)', async () => {
    const replay = async (email: string) => {
      const key = { 'idempotency-key': email };
      await invite(email, manager, into(sales), key);
      return invite(email, manager, into(sales), key);
    };
    expectAlike(await ofEach(replay), 201);
  });

  test("the members do not include a user before the user's next request (L4)", async () => {
    for (const make of Object.values(addresses)) {
      const email = await make();
      await invite(email);
      expect(await membersOf(sales)).not.toContain(email);
    }
  });
});

describe('an invitation of a user with an account', () => {
  let ada: User;
  let api: Client;

  beforeEach(async () => {
    ada = await service.factory.user();
    api = await service.as(ada);
  });

  const workspacesOf = async (client = api): Promise<string[]> =>
    (await client.get<{ workspaces: { id: string }[] }>('/api/workspaces')).body.workspaces.map(
      ({ id }) => id,
    );
  const statusOf = async (id: string) =>
    (await manager.get<Invitation>(`/api/invitations/${id}`)).body.status;

  /** The next request starts the acceptance and does not wait for it. */
  const acceptedBy = async (client: Client): Promise<void> => {
    await until(async () => (await workspacesOf(client)).length > 0);
  };

  test('is accepted by a request of any session, without a link (L4)', async () => {
    expect(await workspacesOf()).toEqual([]);
    const { body } = await invite(ada.email);
    await acceptedBy(api);
    expect(await workspacesOf()).toEqual([sales.id]);
    expect(await statusOf(body.id)).toBe('accepted');
    expect(await membersOf(sales)).toContain(ada.email);
    const mail = await service.mailbox.mailTo(ada.email);
    expect(mail.subject).toMatch(/^.+ invited you to .+ on Vitrine$/);
    expect(mail.text).not.toContain('#token=');
  });

  test('is accepted once by concurrent requests (L4)', async () => {
    const { body } = await invite(ada.email);
    const responses = await Promise.all(Array.from({ length: 10 }, () => api.get('/api/workspaces')));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await acceptedBy(api);
    const events = await service.database.query(
      `SELECT FROM audit_events WHERE action = 'invitation_accepted' AND target_id = $1`,
      [body.id],
    );
    expect(events).toHaveLength(1);
  });

  test('grants nothing after it is revoked or expired, or its inviter lost the workspace (L4)', async () => {
    const revoked = await invite(ada.email);
    await manager.delete(`/api/invitations/${revoked.body.id}`);
    expect(await workspacesOf(await service.as(ada))).toEqual([]);
    await invite(ada.email);
    await service.database.query(`DELETE FROM grants WHERE workspace_id = $1`, [sales.id]);
    expect(await workspacesOf(await service.as(ada))).toEqual([]);
    await invite(ada.email, await service.asMember(other, 'manager'), into(other));
    service.clock.advance(72 * 3600 + 1);
    expect(await workspacesOf(await service.as(ada))).toEqual([]);
  });

  test('does not replace a grant that the user has received since (L4)', async () => {
    await invite(ada.email);
    await admin.put(`/api/workspaces/${sales.id}/members/${ada.id}`, { role: 'editor' });
    expect(await workspacesOf(await service.as(ada))).toEqual([sales.id]);
    const { body } = await admin.get<{ members: { user_id: string; role: string }[] }>(
      `/api/workspaces/${sales.id}/members`,
    );
    expect(body.members.find(({ user_id }) => user_id === ada.id)?.role).toBe('editor');
  });

  test('who is disabled grants nothing and reactivates nothing, until an admin does (L4)', async () => {
    await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
    const { body } = await invite(ada.email);
    const mail = await service.mailbox.mailTo(ada.email);
    expect(mail.text).toContain('Your account is disabled');
    expect(mail.text).not.toContain('#token=');
    expect((await api.get('/api/workspaces')).status).toBe(401);
    expect(await statusOf(body.id)).toBe('pending');
    await admin.patch(`/api/users/${ada.id}`, { status: 'active' });
    expect(await workspacesOf(await service.as(ada))).toEqual([sales.id]);
  });
});

describe('a user in a workspace of the manager', () => {
  test('200 and 409: is shown with the name, but never with the platform role (L4)', async () => {
    const boss = await service.factory.admin();
    await service.factory.grant(boss, sales);
    expect(await invite(boss.email)).toMatchObject({ status: 409, body: { code: 'already_has_access' } });
    const response = await invite(boss.email, manager, into(sales, 'editor'));
    expect(response).toMatchObject({
      status: 200,
      body: { status: 'accepted', name: boss.name, role: 'member' },
    });
  });

  test('201: is not shown through an expired grant (L4)', async () => {
    const ada = await service.factory.user();
    await service.factory.grant(ada, sales);
    await service.database.query(`UPDATE grants SET expires_at = $2 WHERE user_id = $1`, [
      ada.id,
      service.clock.in(-1),
    ]);
    expect(await invite(ada.email)).toMatchObject({ status: 201, body: { status: 'pending', name: null } });
  });
});
