import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { idOf } from '@vitrine/power-bi-emulator';
import type { JWTPayload } from 'jose';
import type { User } from '../src/users/user.entity.js';
import { GroupClient, type GroupResource } from './scim/group-client.js';
import { scimClient } from './scim/scim-client.js';
import { type ApiResponse, Client } from './support/client.js';
import { collide, type Request } from './support/collide.js';
import { password } from './support/factory.js';
import { lockRows } from './support/row-lock.js';
import { exchangeToken, person, type SignIn, startSignIn } from './support/sign-in.js';
import { setContent, syncOnce } from './support/syncing.js';
import { until } from './support/until.js';

const rules = {
  rules: [
    { name: 'All', when: { email_domains: ['vitrine.example'] }, admit: true },
    { name: 'Chiefs', when: { groups: ['chiefs'] }, role: 'admin', member_of: ['Board'] },
  ],
};

let here: SignIn;
/** Created before all admins: locks of users are taken in the order of their ids. */
let early: User;
let first: User;
let admin: Client;

beforeAll(async () => {
  here = await startSignIn([], rules, { REQUEST_DEADLINE_SECONDS: '60' });
  const { factory } = here.service;
  early = await factory.user();
  first = await factory.admin();
  admin = await here.service.as(first);
  await factory.group({ name: 'Board' });
});
afterAll(() => here.close());
afterEach(() => {
  jest.restoreAllMocks();
});

const exchange = async (claims: JWTPayload): Promise<() => Promise<ApiResponse>> => {
  // Two tokens of the same second are two tokens.
  const subject_token = await here.signed({ jti: randomUUID(), ...claims });
  return () => exchangeToken(here.service.api, subject_token);
};

/** Has signed in through the provider. */
async function arrived(sub: string, claims: Record<string, unknown> = {}): Promise<string> {
  const signIn = await exchange({ ...person(sub), ...claims });
  const { status, body } = await signIn();
  expect(status).toBe(200);
  return (await new Client(here.service.url, body.access_token as string).get('/api/users/me')).body
    .id as string;
}

/** Fails when a transaction of these requests had to be repeated. */
async function expectNoDeadlock(userId: string, requests: readonly Request[]): Promise<number[]> {
  const warn = jest.spyOn(Logger.prototype, 'warn');
  const responses = await collide(here.service.databaseUrl, userId, requests);
  const statuses = responses.map(({ status }) => status);
  expect(warn.mock.calls.filter(([entry]) => JSON.stringify(entry).includes('deadlock'))).toEqual([]);
  warn.mockRestore();
  return statuses;
}

describe('RACE-08 no deadlock and no failure in concurrent', () => {
  test.each([
    // Without its identity the person arrives as a new one, whom a rule admits.
    ['erasure first', [204, 200]],
    ['sign-in first', [204, 403]],
  ])('erasure and sign-in through the provider, %s', async (order, expected) => {
    const sub = `erased-${order.slice(0, 4)}`;
    const id = await arrived(sub);
    await admin.patch(`/api/users/${id}`, { status: 'disabled' });
    const requests: Request[] = [() => admin.post(`/api/users/${id}/erase`), await exchange(person(sub))];
    const isErasure = order === 'erasure first';
    const statuses = await expectNoDeadlock(id, isErasure ? requests : requests.toReversed());
    expect(isErasure ? statuses : statuses.toReversed()).toEqual(expected);
    const links = 'SELECT FROM user_identities WHERE user_id = $1';
    expect(await here.service.database.query(links, [id])).toEqual([]);
  });

  test('sign-in through the provider and removal of the identity', async () => {
    const id = await arrived('unlinked');
    const path = `/api/users/${id}/identities`;
    const [identity] = (await admin.get<{ identities: { id: string }[] }>(path)).body.identities;
    const statuses = await expectNoDeadlock(id, [
      await exchange(person('unlinked')),
      () => admin.delete(`${path}/${identity!.id}`),
    ]);
    expect(statuses).toEqual([200, 204]);
  });

  test('disabling of a user and a change of a group with this user and an admin', async () => {
    const group = await here.service.factory.group();
    const users = [early.id, first.id];
    const statuses = await expectNoDeadlock(first.id, [
      () => admin.patch(`/api/users/${early.id}`, { status: 'disabled' }),
      () => admin.post(`/api/groups/${group.id}/members`, { users }),
    ]);
    expect(statuses).toEqual([200, 204]);
  });

  test('sign-ins of two admins whom the provider no longer names admins and members of a group', async () => {
    for (const sub of ['chief-1', 'chief-2']) await arrived(sub, { groups: ['chiefs'] });
    const statuses = await expectNoDeadlock(first.id, [
      await exchange({ ...person('chief-1'), groups: [] }),
      await exchange({ ...person('chief-2'), groups: [] }),
    ]);
    expect(statuses).toEqual([200, 200]);
  });

  test('a grant to a user, and a change of that user by the same admin', async () => {
    const later = await here.service.factory.user();
    const workspace = await here.service.factory.workspace();
    const statuses = await expectNoDeadlock(later.id, [
      () => admin.put(`/api/workspaces/${workspace.id}/grants/users/${later.id}`, { role: 'viewer' }),
      () => admin.patch(`/api/users/${later.id}`, { name: 'Renamed' }),
      () => admin.patch(`/api/users/${later.id}`, { status: 'disabled' }),
    ]);
    expect(statuses).toEqual([200, 200, 200]);
  });

  test('revocations of one user', async () => {
    const { id } = await here.service.factory.user();
    const revoke: Request = () => admin.post('/api/embed-grants/revoke', { user_id: id });
    expect(await expectNoDeadlock(id, [revoke, revoke])).toEqual([201, 201]);
  });

  test.each(['member', 'admin'] as const)(
    'acceptance of an invitation by a disabled %s, and a change of that account by an admin',
    async (role) => {
      const { factory, mailbox, api } = here.service;
      const { id, email } = await factory.user({ role, status: 'disabled' });
      await admin.post('/api/users/invite', { email });
      const link = { grant_type: 'invitation', invitation_token: await mailbox.secretFor(email), password };
      const statuses = await expectNoDeadlock(id, [
        () => api.post('/api/auth/token', link),
        () => admin.patch(`/api/users/${id}`, { name: 'Renamed' }),
      ]);
      expect(statuses).toEqual([200, 200]);
    },
  );

  test.each(['erasure', 'invitation'])('erasure and another invitation, %s first', async (order) => {
    const { factory, asMember, mailbox } = here.service;
    const { id, email } = await factory.user({ status: 'disabled' });
    const workspace = await factory.workspace();
    const workspaces = [{ workspace_id: workspace.id, role: 'viewer' }];
    const inviting = async (): Promise<Request> => {
      const manager = await asMember(workspace, 'manager');
      return () => manager.post('/api/users/invite', { email, workspaces });
    };
    expect((await (await inviting())()).status).toBe(201);
    const requests: Request[] = [() => admin.post(`/api/users/${id}/erase`), await inviting()];
    const isErasure = order === 'erasure';
    const statuses = await expectNoDeadlock(id, isErasure ? requests : requests.toReversed());
    expect(isErasure ? statuses : statuses.toReversed()).toEqual([204, 201]);
    // Its link is for a new account.
    expect(isErasure ? await mailbox.nextSecretFor(email, '') : undefined).not.toBe('');
  });

  const report = (item: number, name: string) => ({ name, id: idOf('report', 9, item) });
  const finance = (...reports: object[]) => ({ name: 'Finance', reports });
  const sales = (...reports: object[]) => ({ name: 'Sales', reports });
  // Each last sync would lock the second report first.
  test.each([
    [
      'changes them',
      [1, 2],
      [
        [finance(), sales(report(1, 'Costs'), report(2, 'Revenue'))],
        [finance(), sales(report(2, 'Turnover'), report(1, 'Expenses'))],
      ],
    ],
    [
      'moves one of them',
      [3, 4],
      [
        [finance(report(3, 'Costs'))],
        [finance(report(3, 'Costs')), sales(report(4, 'Revenue'))],
        [finance(), sales(report(4, 'Turnover'), report(3, 'Costs'))],
      ],
    ],
    [
      'retires them',
      [5, 6],
      [
        [finance(), sales(report(5, 'Costs'), report(6, 'Revenue'))],
        [finance(), sales(report(5, 'Expenses'), report(6, 'Revenue'))],
        [finance()],
        [finance()],
      ],
    ],
  ])('an invitation to two reports and a sync that %s', async (title, items, contents) => {
    const { service } = here;
    const { email } = await service.factory.user();
    for (const workspaces of contents.slice(0, -1)) {
      await setContent(service, { workspaces });
      await syncOnce(admin);
    }
    const stored = await service.database.query<{ report_id: string }[]>(
      'SELECT id AS report_id FROM reports WHERE pbi_report_id = ANY($1) ORDER BY id',
      [items.map((item) => idOf('report', 9, item))],
    );
    await setContent(service, { workspaces: contents.at(-1) });
    const row = 'SELECT FROM reports WHERE id = $1 FOR SHARE';
    const { waiting, release } = await lockRows(service.databaseUrl, row, [stored[0]!.report_id]);
    const sync = syncOnce(admin);
    try {
      // A moved report is written with both workspaces.
      await until(async () => (await waiting()) === (title === 'moves one of them' ? 2 : 1));
      const reports = stored.map(({ report_id }) => ({ report_id, role: 'viewer' }));
      expect((await admin.post('/api/users/invite', { email, reports })).status).toBe(200);
    } finally {
      await release();
    }
    expect((await sync).status).toBe('succeeded');
  });

  test.each(['group', 'user'] as const)(
    'the end of a %s with grants and a sync of their reports',
    async (type) => {
      const { service } = here;
      const items = type === 'group' ? [11, 12] : [13, 14];
      const named = (name: string) => ({
        workspaces: [sales(...items.map((item) => report(item, `${name} ${item}`)))],
      });
      await setContent(service, named('Budget'));
      await syncOnce(admin);
      const stored = await service.database.query<{ id: string }[]>(
        'SELECT id FROM reports WHERE pbi_report_id = ANY($1) ORDER BY id DESC',
        [items.map((item) => idOf('report', 9, item))],
      );
      const isGroup = type === 'group';
      const { id } = isGroup
        ? await service.factory.group()
        : await service.factory.user({ status: 'disabled' });
      // A deletion without an order would lock the grant on the last report first.
      for (const one of stored)
        expect(
          (await admin.put(`/api/reports/${one.id}/grants/${type}s/${id}`, { role: 'viewer' })).status,
        ).toBe(200);
      await setContent(service, named('Plan'));
      const warn = jest.spyOn(Logger.prototype, 'warn');
      const row = 'SELECT FROM grants WHERE report_id = $1 FOR UPDATE';
      const { waiting, release } = await lockRows(service.databaseUrl, row, [stored.at(-1)!.id]);
      const requests: Promise<unknown>[] = [];
      try {
        requests.push(syncOnce(admin).then(({ status }) => status));
        await until(async () => (await waiting()) === 1);
        const end = isGroup ? admin.delete(`/api/groups/${id}`) : admin.post(`/api/users/${id}/erase`);
        requests.push(end.then(({ status }) => status));
        await until(async () => (await waiting()) === 2);
      } finally {
        await release();
      }
      expect(await Promise.all(requests)).toEqual(['succeeded', 204]);
      expect(warn.mock.calls.filter(([entry]) => JSON.stringify(entry).includes('deadlock'))).toEqual([]);
    },
  );
});

describe('RACE-08 no deadlock and no failure in changes of groups by SCIM and', () => {
  let groups: GroupClient;

  beforeAll(async () => {
    groups = new GroupClient(await scimClient(here.service));
  });

  const refs = (members: readonly { id: string }[]) => members.map(({ id }) => ({ value: id }));
  const scimGroup = async (...members: { id: string }[]): Promise<GroupResource> => {
    const { status, body } = await groups.create({ displayName: randomUUID(), members: refs(members) });
    expect(status).toBe(201);
    return body;
  };
  const change =
    (op: 'add' | 'remove') =>
    (group: { id: string }, ...members: { id: string }[]): Request =>
    () =>
      groups.patch(group, [{ op, path: 'members', value: refs(members) }]);
  const [adding, removing] = [change('add'), change('remove')];
  const erasing =
    ({ id }: User): Request =>
    () =>
      admin.post(`/api/users/${id}/erase`);
  /** May be erased. */
  const disabled = () => here.service.factory.user({ source: 'scim', status: 'disabled' });

  test.each(['SCIM', 'erasure'])('erasure of a new member, %s first', async (order) => {
    const [ada, ben, group] = [await disabled(), await disabled(), await scimGroup()];
    const requests = [adding(group, ben, ada), erasing(ada)];
    const inOrder = order === 'SCIM' ? requests : requests.toReversed();
    const statuses = await expectNoDeadlock(ada.id, inOrder);
    // Which of them is first once the row is free is open: an erased person cannot become a member.
    const isAdded = statuses.every((status) => status === 204);
    expect(statuses.toSorted((a, b) => a - b)).toEqual(isAdded ? [204, 204] : [204, 400]);
    expect(await groups.members(group)).toEqual(isAdded ? [ben.id] : []);
  });

  test.each(['SCIM', 'erasure'])('erasure of a member who is removed, %s first', async (order) => {
    const ada = await disabled();
    const group = await scimGroup(ada);
    const requests = [removing(group, ada), erasing(ada)];
    const inOrder = order === 'SCIM' ? requests : requests.toReversed();
    expect(await expectNoDeadlock(ada.id, inOrder)).toEqual([204, 204]);
    expect(await groups.members(group)).toEqual([]);
  });

  test.each(['SCIM', 'erasure'])(
    'erasure of a member of a nested group that is deleted, %s first',
    async (order) => {
      const ada = await disabled();
      const inner = await scimGroup(ada);
      const outer = await scimGroup(inner);
      const requests: Request[] = [() => groups.delete(inner), erasing(ada)];
      const inOrder = order === 'SCIM' ? requests : requests.toReversed();
      expect(await expectNoDeadlock(ada.id, inOrder)).toEqual([204, 204]);
      expect(await groups.members(outer)).toEqual([]);
    },
  );

  test('another change by SCIM that lists the same people in the opposite order', async () => {
    const [ada, ben] = [await disabled(), await disabled()];
    const [first, second] = [await scimGroup(), await scimGroup()];
    const requests = [adding(first, ben, ada), adding(second, ada, ben)];
    expect(await expectNoDeadlock(ada.id, requests)).toEqual([204, 204]);
    for (const group of [first, second])
      expect(await groups.members(group)).toEqual([ada.id, ben.id].toSorted());
  });

  test.each(['SCIM', 'admin'])('nesting of the same group by an admin, %s first', async (order) => {
    const ada = await disabled();
    const [inner, provided, outer] = [
      await scimGroup(),
      await scimGroup(),
      await here.service.factory.group(),
    ];
    const members = { users: [ada.id], groups: [provided.id] };
    const requests: Request[] = [
      adding(provided, ada, inner),
      () => admin.post(`/api/groups/${outer.id}/members`, members),
    ];
    const inOrder = order === 'SCIM' ? requests : requests.toReversed();
    expect(await expectNoDeadlock(ada.id, inOrder)).toEqual([204, 204]);
    expect(await groups.members(provided)).toEqual([ada.id, inner.id].toSorted());
  });

  test('nestings and erasures of the same people, all at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [ada, ben] = [await disabled(), await disabled()];
      const [first, second] = [await scimGroup(ada), await scimGroup(ben)];
      const outer = await here.service.factory.group();
      const requests: Request[] = [
        adding(first, ben, ada, second),
        adding(second, ada, ben),
        () => admin.put(`/api/groups/${outer.id}/members/groups/${first.id}`),
        () => admin.post(`/api/groups/${outer.id}/members`, { users: [ben.id], groups: [second.id] }),
        removing(first, ada),
        erasing(ada),
      ];
      const statuses = (await Promise.all(requests.map((request) => request()))).map(({ status }) => status);
      // 400: the new member was erased before.
      expect(statuses.filter((status) => status !== 204 && status !== 400)).toEqual([]);
      expect(await groups.members(second)).toEqual([ben.id]);
    }
  });
});
