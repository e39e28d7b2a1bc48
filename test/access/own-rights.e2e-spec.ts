import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { downloadReview, linesOf } from './review-file.js';

let service: Service;
let admin: Client;
let sales: Workspace;
let report: Report;
let chief: User;
let ada: User;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());
beforeEach(async () => {
  const { factory } = service;
  admin = await service.asAdmin();
  sales = await factory.workspace();
  report = await factory.report(sales);
  chief = await factory.user();
  ada = await factory.user();
  await factory.grant(ada, sales);
});

const withExpiry = (expiresAt: Date | undefined) => ({
  role: 'manager',
  ...(expiresAt && { expires_at: expiresAt }),
});

/** How the chief manages the workspace, and how that right ends. */
const sources = {
  directly: async (expiresAt?: Date) => {
    await admin.put(`/api/workspaces/${sales.id}/members/${chief.id}`, withExpiry(expiresAt));
    return () => admin.delete(`/api/workspaces/${sales.id}/members/${chief.id}`);
  },
  'through a group': async (expiresAt?: Date) => {
    const group = await service.factory.group({}, [chief]);
    await admin.put(`/api/workspaces/${sales.id}/grants/groups/${group.id}`, withExpiry(expiresAt));
    return () => admin.delete(`/api/groups/${group.id}/members/users/${chief.id}`);
  },
  'by a rule': async (expiresAt?: Date) => {
    await service.factory.grant(chief, sales, 'manager', expiresAt ?? null, 'provider');
    return async () => {
      await service.database.query(`DELETE FROM grants WHERE user_id = $1 AND source = 'provider'`, [
        chief.id,
      ]);
      service.changed();
    };
  },
};
const kinds = Object.keys(sources) as (keyof typeof sources)[];
const derived = kinds.slice(1);

const put = (api: Client, holder: User | Group, role: string, target = `workspaces/${sales.id}`) =>
  api.put(`/api/${target}/grants/${'email' in holder ? 'users' : 'groups'}/${holder.id}`, { role });

describe.each(kinds)('a manager %s', (kind) => {
  test('grants nothing to themselves, and is no manager after the right has ended', async () => {
    const end = await sources[kind]();
    const api = await service.as(chief);
    const responses = [
      await api.put(`/api/workspaces/${sales.id}/members/${chief.id}`, { role: 'manager' }),
      await put(api, chief, 'manager'),
      await put(api, chief, 'viewer'),
      await put(api, chief, 'editor', `reports/${report.id}`),
      await api.post('/api/users/invite', {
        email: chief.email,
        workspaces: [{ workspace_id: sales.id, role: 'manager' }],
      }),
    ];
    for (const response of responses)
      expect(response).toMatchObject({
        status: 403,
        body: { code: 'access_denied', detail: expect.stringContaining('to yourself') },
      });
    expect((await put(api, ada, 'editor')).status).toBe(200);
    await end();
    expect((await api.get(`/api/workspaces/${sales.id}`)).status).toBe(404);
    expect((await api.get('/api/users/me')).body).toMatchObject({ grants: [] });
  });

  test('does not find themselves among the people to grant access to', async () => {
    await sources[kind]();
    const api = await service.as(chief);
    const found = async (q: string) =>
      (await api.get<{ candidates: { id: string }[] }>(`/api/workspaces/${sales.id}/candidates?q=${q}`)).body
        .candidates;
    expect((await found(encodeURIComponent(chief.email))).map(({ id }) => id)).not.toContain(chief.id);
    expect(await found(encodeURIComponent(ada.email))).toMatchObject([{ id: ada.id }]);
  });

  test('gives what expires with the own right', async () => {
    const end = service.clock.in(3600);
    await sources[kind](end);
    const api = await service.as(chief);
    const late = { role: 'viewer', expires_at: service.clock.in(7200).toISOString() };
    expect(await api.put(`/api/workspaces/${sales.id}/grants/users/${ada.id}`, late)).toMatchObject({
      body: { expires_at: end.toISOString() },
    });
    expect(await put(api, ada, 'viewer', `reports/${report.id}`)).toMatchObject({
      body: { expires_at: end.toISOString() },
    });
  });
});

describe('a group that contains the manager', () => {
  test.each(derived)('gets the role viewer, and no more, from a manager %s', async (kind) => {
    await sources[kind]();
    const inner = await service.factory.group({}, [chief]);
    const own = await service.factory.group();
    await admin.put(`/api/groups/${own.id}/members/groups/${inner.id}`);
    const api = await service.as(chief);
    const refused = [
      await put(api, own, 'manager'),
      await put(api, own, 'editor'),
      await put(api, own, 'editor', `reports/${report.id}`),
    ];
    for (const response of refused)
      expect(response).toMatchObject({
        status: 403,
        body: { code: 'access_denied', detail: expect.stringContaining('are in this group') },
      });
    expect((await put(api, own, 'viewer')).status).toBe(200);
    expect((await put(admin, own, 'editor')).status).toBe(200);
  });

  test('gets every role from a manager who was granted the role directly', async () => {
    await sources.directly();
    const own = await service.factory.group({}, [chief]);
    expect(await put(await service.as(chief), own, 'manager')).toMatchObject({
      status: 200,
      body: { role: 'manager' },
    });
  });
});

describe('the access review', () => {
  interface Line {
    user: { id: string };
    granted_by_derived_right: boolean;
  }
  const lineOf = async (user: User): Promise<Line | undefined> => {
    const response = await downloadReview(service, admin, `?workspace_id=${sales.id}`);
    return linesOf<Line>(await response.text()).find((line) => line.user.id === user.id);
  };

  test.each(kinds)('shows whether a grant was given by a derived right: a manager %s', async (kind) => {
    await sources[kind]();
    await put(await service.as(chief), ada, 'editor');
    expect(await lineOf(ada)).toMatchObject({
      granted_by: { id: chief.id },
      granted_by_derived_right: kind !== 'directly',
    });
    const csv = await (await downloadReview(service, admin, `?workspace_id=${sales.id}`, 'text/csv')).text();
    expect(csv.split('\r\n').find((row) => row.includes(ada.email))).toContain(
      `,${String(kind !== 'directly')},`,
    );
    expect((await put(admin, ada, 'editor')).status).toBe(200);
    expect(await lineOf(ada)).toMatchObject({ granted_by_derived_right: false });
  });

  test('shows it for an accepted invitation, too', async () => {
    await sources['through a group']();
    const email = `invited-${chief.id}@example.com`;
    await (
      await service.as(chief)
    ).post('/api/users/invite', {
      email,
      workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
    });
    const invitation_token = await service.mailbox.secretFor(email);
    await service.api.post('/api/auth/token', {
      grant_type: 'invitation',
      invitation_token,
      password: 'a long enough password',
    });
    const [user] = await service.database.query<User[]>('SELECT id FROM users WHERE email = $1', [email]);
    expect(user && (await lineOf(user))).toMatchObject({ granted_by_derived_right: true });
  });
});
