import type { EntityManager } from 'typeorm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { GroupClosureService } from '../../src/access/groups/group-closure.service.js';
import { lockNesting } from '../../src/access/groups/group-edges.queries.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { Client } from '../support/client.js';
import { lockRows } from '../support/row-lock.js';
import { person, type SignIn, startSignIn } from '../support/sign-in.js';

const HOURS = 3600;

interface Me extends Record<string, unknown> {
  id: string;
  role: string;
  grants: { workspace_id: string; report_id: string | null; role: string; source: string }[];
}

let here: SignIn;
let sales: Workspace;
let finance: Workspace;
let forecast: Report;
let budget: Report;
/** In rules, before the reports exist. Of no version of RFC 4122: Power BI's ids need none. */
const budgetId = '4f5a8a51-8d3e-0f0b-1d0a-6c0a52c1f7d1';

const rules = {
  rules: [
    {
      name: 'Staff',
      when: { groups: ['staff'] },
      admit: true,
      attributes: { employee: { claim: 'employee_id' } },
    },
    { name: 'Sales', when: { groups: ['sales'] }, grants: [{ workspace: 'Sales', role: 'editor' }] },
    {
      name: 'Finance',
      when: { claims: { department: ['Finance'] } },
      grants: [{ workspace: 'Finance', role: 'viewer' }],
    },
    {
      name: 'Readers',
      when: { claims: { employee_id: ['reader'] } },
      grants: [{ workspace: 'Sales', role: 'viewer' }],
    },
    { name: 'Chiefs', when: { groups: ['chiefs'] }, role: 'admin' },
    {
      name: 'Planners',
      when: { groups: ['planners'] },
      grants: [
        { workspace: 'Finance', report: 'Forecast', role: 'editor' },
        { report: budgetId.toUpperCase(), role: 'viewer' },
        { workspace: 'Sales', report: budgetId, role: 'editor' },
        { workspace: 'Finance', report: 'No such report', role: 'viewer' },
      ],
    },
    {
      name: 'Guests',
      when: { claims: { employee_id: ['guest'] } },
      grants: [{ workspace: 'Finance', report: 'Forecast', role: 'viewer' }],
    },
    { name: 'Crew', when: { groups: ['crew'] }, member_of: ['Crew'] },
    { name: 'Field', when: { groups: ['field'] }, member_of: ['FIELD force', 'no such group'] },
    {
      name: 'Twins',
      when: { groups: ['twins'] },
      grants: [{ workspace: 'Twins', role: 'viewer' }],
      member_of: ['No such twins'],
    },
  ],
};

beforeAll(async () => {
  const staff = (sub: string, groups: string[] = [], more = {}) =>
    person(sub, { groups: ['staff', ...groups], department: 'None', ...more });
  here = await startSignIn(
    [
      staff('ada', ['sales'], { employee_id: '4711' }),
      staff('ben', ['sales']),
      staff('cleo', ['sales'], { department: 'Finance' }),
      staff('dan', ['chiefs']),
      staff('fay', ['sales']),
      staff('gus', ['sales']),
      staff('hal', ['sales', 'twins']),
      staff('ivy', ['sales']),
      staff('jan', ['sales']),
      staff('kim', ['field']),
      staff('lea', ['planners']),
      staff('max', ['planners']),
      staff('ned', ['planners']),
      staff('oda', ['sales', 'planners', 'field']),
      staff('pia', ['sales', 'planners', 'field']),
      staff('rex', ['crew']),
      staff('sue', ['crew']),
    ],
    rules,
  );
  sales = await here.service.factory.workspace({ name: 'Sales' });
  finance = await here.service.factory.workspace({ name: 'Finance' });
  forecast = await here.service.factory.report(finance, { name: 'Forecast' });
  budget = await here.service.factory.report(finance, { name: 'Budget', pbiReportId: budgetId });
});
afterAll(() => here.close());

const me = async (token: string): Promise<Me> =>
  (await new Client(here.service.url, token).get<Me>('/api/users/me')).body;
const signIn = async (sub: string): Promise<Me> => me((await here.signIn(sub)).body.access_token);
const says = (sub: string, claims: Record<string, unknown>): void => {
  here.provider.people.set(sub, { ...person(sub), ...here.provider.people.get(sub), ...claims });
};
const renew = (refreshToken: string) =>
  here.service.api.post<{ access_token: string; refresh_token: string }>('/api/auth/token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
  });
const attributesOf = async (id: string): Promise<unknown> =>
  (
    await here.service.database.query<{ attributes: unknown }[]>(
      'SELECT attributes FROM users WHERE id = $1',
      [id],
    )
  )[0]?.attributes;

describe('at sign-in', () => {
  test('a group admits a user and confers grants and attributes, with audit events', async () => {
    const ada = await signIn('ada');
    expect(ada.grants).toEqual([
      expect.objectContaining({
        workspace_id: sales.id,
        role: 'editor',
        source: 'provider',
        expires_at: null,
      }),
    ]);
    expect(await attributesOf(ada.id)).toEqual({ employee: '4711' });
    const trail = await here.service.database.query(
      `SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id`,
      [ada.id],
    );
    const actions = ['user_created', 'identity_linked', 'user_changed', 'grant_set'];
    expect(trail).toEqual(actions.map((action) => ({ action })));
  });

  test('a rule adds to a group in Vitrine, by name, and removes from it; manual memberships remain', async () => {
    const { factory, database } = here.service;
    const [field, other] = [await factory.group({ name: 'Field force' }), await factory.group()];
    const fieldWork = await factory.workspace({ name: 'Field work' });
    await database.query(
      `INSERT INTO grants (group_id, workspace_id, source, role, created_at)
       VALUES ($1, $2, 'manual', 'viewer', now())`,
      [field.id, fieldWork.id],
    );
    const kim = await signIn('kim');
    expect(kim.grants).toEqual([
      expect.objectContaining({ workspace_id: fieldWork.id, path: ['Field force'] }),
    ]);
    await (await here.service.asAdmin()).put(`/api/groups/${other.id}/members/users/${kim.id}`);
    const groupsOf = () =>
      database.query('SELECT group_id, source FROM group_edges WHERE user_id = $1 ORDER BY source', [kim.id]);
    const manual = { group_id: other.id, source: 'manual' };
    expect(await groupsOf()).toEqual([manual, { group_id: field.id, source: 'provider' }]);
    says('kim', { groups: undefined });
    await signIn('kim');
    expect(await groupsOf()).toEqual([manual, { group_id: field.id, source: 'provider' }]);
    says('kim', { groups: ['staff'] });
    expect((await signIn('kim')).grants).toEqual([]);
    expect(await groupsOf()).toEqual([manual]);
  });

  test('people sign in, join and leave groups and change while groups are nested and taken apart', async () => {
    const { app, factory } = here.service;
    const [crew, outer, person] = [
      await factory.group({ name: 'Crew' }),
      await factory.group(),
      await factory.user(),
    ];
    const shipyard = await factory.workspace();
    const admin = await here.service.asAdmin();
    await admin.put(`/api/workspaces/${shipyard.id}/grants/groups/${outer.id}`, { role: 'viewer' });
    const closure = app.get(GroupClosureService);
    /** Commits the change of groups only after the work. */
    const meanwhile = (change: (tx: EntityManager) => Promise<unknown>, work: () => Promise<void>) =>
      app.get(DatabaseService).transaction(async (tx) => {
        await lockNesting(tx);
        await change(tx);
        await work();
      });
    const member = `/api/groups/${crew.id}/members/users/${person.id}`;
    await meanwhile(
      (tx) => closure.addGroups(tx, outer, [crew], 'manual'),
      async () => {
        expect((await here.signIn('rex')).status).toBe(200);
        expect((await admin.put(member)).status).toBe(204);
        expect((await admin.patch(`/api/users/${person.id}`, { name: 'Renamed' })).status).toBe(200);
      },
    );
    const seenBy = async (sub: string) => (await signIn(sub)).grants.map(({ workspace_id }) => workspace_id);
    expect(await seenBy('rex')).toEqual([shipyard.id]);
    await meanwhile(
      (tx) => closure.removeGroups(tx, outer.id, [crew.id], 'manual'),
      async () => {
        expect((await here.signIn('sue')).status).toBe(200);
        expect((await admin.delete(member)).status).toBe(204);
      },
    );
    for (const sub of ['rex', 'sue']) expect(await seenBy(sub)).toEqual([]);
  });

  test('a lost group removes its grants, but no manual ones', async () => {
    const { id } = await signIn('ben');
    await here.service.factory.grant({ id } as never, finance);
    says('ben', { groups: ['staff'] });
    expect((await signIn('ben')).grants).toEqual([
      expect.objectContaining({ workspace_id: finance.id, source: 'manual' }),
    ]);
  });

  test.each([
    ['missing', { groups: undefined }],
    ['over the limit (_claim_names)', { groups: undefined, _claim_names: { groups: 'src1' } }],
    ['over the limit (hasgroups)', { groups: [], hasgroups: true }],
  ])('a group claim that is %s removes nothing', async (_, claims) => {
    says('fay', { groups: ['staff', 'sales'], hasgroups: undefined, _claim_names: undefined });
    await signIn('fay');
    says('fay', claims);
    expect((await signIn('fay')).grants).toHaveLength(1);
  });

  test('a changed claim changes the grants that depend on it, and no others', async () => {
    expect((await signIn('cleo')).grants).toHaveLength(2);
    says('cleo', { department: 'Marketing' });
    expect((await signIn('cleo')).grants).toEqual([expect.objectContaining({ workspace_id: sales.id })]);
  });

  test('a rule confers the admin role, and removes only the role that it conferred', async () => {
    await here.service.factory.admin();
    expect(await signIn('dan')).toMatchObject({ role: 'admin' });
    says('dan', { groups: ['staff'] });
    expect(await signIn('dan')).toMatchObject({ role: 'member' });
    await here.service.database.query(`UPDATE users SET role = 'admin' WHERE email = 'dan@vitrine.example'`);
    expect(await signIn('dan')).toMatchObject({ role: 'admin' });
  });

  test('a certain weaker grant does not replace a stronger one that is undetermined', async () => {
    expect((await signIn('jan')).grants).toEqual([expect.objectContaining({ role: 'editor' })]);
    says('jan', { groups: undefined, employee_id: 'reader' });
    expect((await signIn('jan')).grants).toContainEqual(
      expect.objectContaining({ workspace_id: sales.id, role: 'editor' }),
    );
    says('jan', { groups: ['staff'] });
    expect((await signIn('jan')).grants).toContainEqual(
      expect.objectContaining({ workspace_id: sales.id, role: 'viewer' }),
    );
  });

  test('a rule grants single reports, by name in a workspace or by id, and removes them; manual ones remain', async () => {
    const { database } = here.service;
    const grantsOf = (user: string) =>
      database.query(
        'SELECT report_id, role, source FROM grants WHERE user_id = $1 AND report_id IS NOT NULL ORDER BY role',
        [user],
      );
    const provided = [
      { report_id: forecast.id, role: 'editor', source: 'provider' },
      { report_id: budget.id, role: 'viewer', source: 'provider' },
    ];
    const lea = await signIn('lea');
    expect(await grantsOf(lea.id)).toEqual(provided);
    expect(new Set(lea.grants.map(({ report_id }) => report_id))).toEqual(new Set([forecast.id, budget.id]));
    const admin = await here.service.asAdmin();
    await admin.put(`/api/reports/${budget.id}/grants/users/${lea.id}`, { role: 'viewer' });
    says('lea', { groups: undefined });
    await signIn('lea');
    expect(await grantsOf(lea.id)).toHaveLength(3);
    says('lea', { groups: ['staff'] });
    expect((await signIn('lea')).grants).toMatchObject([{ report_id: budget.id, source: 'manual' }]);
    const events = await database.query(
      `SELECT action, details->>'report_id' AS report_id FROM audit_events
       WHERE target_id = $1 AND action LIKE 'grant%' AND details->>'source' = 'provider' ORDER BY id`,
      [lea.id],
    );
    expect(events).toHaveLength(4);
  });

  test('of rules on the same report the strongest role counts, as far as the claims are known', async () => {
    says('max', { employee_id: 'guest' });
    expect((await signIn('max')).grants).toContainEqual(
      expect.objectContaining({ report_id: forecast.id, role: 'editor' }),
    );
    says('max', { groups: undefined });
    expect((await signIn('max')).grants).toContainEqual(
      expect.objectContaining({ report_id: forecast.id, role: 'editor' }),
    );
    says('max', { groups: ['staff'] });
    expect((await signIn('max')).grants).toMatchObject([{ report_id: forecast.id, role: 'viewer' }]);
  });

  test('a grant on a report that was retired is removed with the claim, so that it does not return with the report', async () => {
    const { database } = here.service;
    const { id } = await signIn('ned');
    await database.query('UPDATE reports SET retired_at = now() WHERE id = $1', [budget.id]);
    says('ned', { groups: ['staff'] });
    await signIn('ned');
    await database.query('UPDATE reports SET retired_at = NULL WHERE id = $1', [budget.id]);
    expect(
      await database.query('SELECT FROM grants WHERE user_id = $1 AND report_id IS NOT NULL', [id]),
    ).toEqual([]);
  });
});

describe('what a rule names', () => {
  const trail = (kind: string, reference: string): Promise<{ action: string; outcome: string }[]> =>
    here.service.database.query(
      `SELECT action, outcome FROM audit_events WHERE target_id = 'sign_in_rules' AND details->>$1 = $2 ORDER BY id`,
      [kind, reference],
    );
  interface Unresolved {
    rule: number;
    rule_name: string;
    kind: string;
    reference: string;
    reason: string;
  }
  /** As admins see them. */
  const listUnresolved = async (): Promise<Unresolved[]> => {
    const admin = await here.service.asAdmin();
    const { status, body } = await admin.get<{ unresolved: Unresolved[] }>('/api/settings/sign-in-rules');
    expect(status).toBe(200);
    return body.unresolved;
  };
  const rename = (table: string, from: string, to: string): Promise<unknown> =>
    here.service.database.query(`UPDATE ${table} SET name = $2 WHERE name = $1`, [from, to]);
  const providedTo = async (id: string): Promise<unknown[]> => {
    const rows = await here.service.database.query<{ target: string }[]>(
      `SELECT coalesce(report_id, workspace_id) AS target FROM grants WHERE user_id = $1 AND source = 'provider'
       UNION ALL SELECT group_id FROM group_edges WHERE user_id = $1 AND source = 'provider'`,
      [id],
    );
    return rows.map(({ target }) => target).toSorted();
  };

  test('stays what it was at first: a new name and another target of the name change nothing', async () => {
    const { factory, database } = here.service;
    const [known] = await database.query<{ id: string }[]>(
      `SELECT id FROM groups WHERE name = 'Field force'`,
    );
    const field = known ?? (await factory.group({ name: 'Field force' }));
    const wanted = [sales.id, forecast.id, budget.id, field.id].toSorted();
    const { id } = await signIn('oda');
    expect(await providedTo(id)).toEqual(wanted);
    await rename('workspaces', 'Sales', 'Sales Europe');
    await rename('workspaces', 'Finance', 'Controlling');
    await rename('reports', 'Forecast', 'Outlook');
    await rename('groups', 'Field force', 'Travellers');
    const others = [await factory.workspace({ name: 'Sales' }), await factory.workspace({ name: 'Sales' })];
    await factory.group({ name: 'Field force' });
    await signIn('oda');
    expect(await providedTo(id)).toEqual(wanted);
    expect(await providedTo((await signIn('pia')).id)).toEqual(wanted);
    const bound = { action: 'rule_reference_bound', outcome: 'allowed' };
    for (const [kind, reference] of [
      ['workspace', 'Sales'],
      ['report', 'Finance / Forecast'],
      ['group', 'FIELD force'],
    ] as const)
      expect(await trail(kind, reference)).toEqual([bound]);
    says('oda', { groups: ['staff'] });
    await signIn('oda');
    expect(await providedTo(id)).toEqual([]);

    await database.query('DELETE FROM workspaces WHERE id = ANY($1)', [others.map((each) => each.id)]);
    await rename('workspaces', 'Sales Europe', 'Sales');
    await rename('workspaces', 'Controlling', 'Finance');
    await rename('reports', 'Outlook', 'Forecast');
  });

  test('is shown to admins by rule while it cannot be resolved, whether or not somebody signed in', async () => {
    const found = await listUnresolved();
    for (const [rule, rule_name, kind, reference] of [
      [6, 'Planners', 'report', `Sales / ${budgetId}`],
      [6, 'Planners', 'report', 'Finance / No such report'],
      [9, 'Field', 'group', 'no such group'],
      [10, 'Twins', 'workspace', 'Twins'],
      [10, 'Twins', 'group', 'No such twins'],
    ] as const)
      expect(found).toContainEqual({ rule, rule_name, kind, reference, reason: 'missing' });
    expect(found.filter(({ reference }) => /^(Sales|Finance|Finance \/ Forecast)$/.test(reference))).toEqual(
      [],
    );
  });

  test('adds and removes nothing while nothing or several have the name, which is recorded once', async () => {
    const { factory, database } = here.service;
    const twins = [await factory.workspace({ name: 'Twins' }), await factory.workspace({ name: 'Twins' })];
    const { id } = await signIn('hal');
    expect(await providedTo(id)).toEqual([sales.id]);
    const shown = { rule: 10, rule_name: 'Twins', kind: 'workspace', reference: 'Twins' };
    expect(await listUnresolved()).toContainEqual({ ...shown, reason: 'ambiguous' });
    // As if a release without bound names had granted it.
    const old = await factory.workspace();
    await factory.grant({ id } as never, old, 'viewer', null, 'provider');
    const oldGroup = await factory.group();
    await database.query(
      `INSERT INTO group_edges (group_id, user_id, source, created_at) VALUES ($1, $2, 'provider', now())`,
      [oldGroup.id, id],
    );
    await signIn('hal');
    expect(await providedTo(id)).toEqual([sales.id, old.id, oldGroup.id].toSorted());
    const unresolved = { action: 'rule_reference_unresolved', outcome: 'failed' };
    expect(await trail('workspace', 'Twins')).toEqual([unresolved]);
    expect(await trail('group', 'No such twins')).toEqual([unresolved]);

    await database.query('DELETE FROM workspaces WHERE id = $1', [twins[1]?.id]);
    await signIn('hal');
    expect(await listUnresolved()).not.toContainEqual(expect.objectContaining(shown));
    expect(await providedTo(id)).toContain(twins[0]?.id);
    const bound = { action: 'rule_reference_bound', outcome: 'allowed' };
    expect(await trail('workspace', 'Twins')).toEqual([unresolved, bound]);
    await database.query('UPDATE workspaces SET retired_at = now() WHERE id = $1', [twins[0]?.id]);
    await factory.workspace({ name: 'Twins' });
    await signIn('hal');
    expect(await listUnresolved()).toContainEqual({ ...shown, reason: 'retired' });
    expect(await providedTo(id)).toContain(twins[0]?.id);
    expect(await trail('workspace', 'Twins')).toEqual([unresolved, bound, unresolved]);
  });

  test('is not locked by a sign-in that changes nothing about it', async () => {
    const before = await signIn('ivy');
    const references = 'SELECT FROM rule_references FOR UPDATE';
    const { release } = await lockRows(here.service.databaseUrl, references, []);
    try {
      const again = await signIn('ivy');
      expect([again.id, again.grants]).toEqual([before.id, before.grants]);
    } finally {
      await release();
    }
  });
});

describe('at a refresh', () => {
  test('within twelve hours the provider is not called', async () => {
    const { body } = await here.signIn('ivy');
    says('ivy', { groups: ['staff'] });
    here.service.clock.advance(11 * HOURS);
    const renewed = await renew(body.refresh_token);
    expect((await me(renewed.body.access_token)).grants).toHaveLength(1);
  });

  test('after twelve hours the provider is called with its own refresh token, repeatedly', async () => {
    const { body } = await here.signIn('gus');
    says('gus', { groups: ['staff'] });
    here.service.clock.advance(13 * HOURS);
    const first = await renew(body.refresh_token);
    expect((await me(first.body.access_token)).grants).toEqual([]);
    says('gus', { groups: ['staff', 'sales'] });
    here.service.clock.advance(13 * HOURS);
    const second = await renew(first.body.refresh_token);
    expect((await me(second.body.access_token)).grants).toHaveLength(1);
  });

  test('401 when the provider rejects the user; the grants remain', async () => {
    const { body } = await here.signIn('gus');
    const before = here.provider.people.get('gus');
    here.provider.people.delete('gus');
    here.service.clock.advance(13 * HOURS);
    expect((await renew(body.refresh_token)).body).toMatchObject({ code: 'invalid_refresh_token' });
    expect((await renew(body.refresh_token)).status).toBe(401);
    here.provider.people.set('gus', before as never);
    expect((await signIn('gus')).grants).toHaveLength(1);
  });

  test('succeeds while a change of groups holds the locks; a later one applies the claims', async () => {
    const { body } = await here.signIn('gus');
    says('gus', { groups: ['staff'] });
    here.service.clock.advance(13 * HOURS);
    const user = 'SELECT FROM users WHERE email = $1 FOR NO KEY UPDATE';
    const { release } = await lockRows(here.service.databaseUrl, user, ['gus@vitrine.example']);
    const first = await renew(body.refresh_token);
    await release();
    expect(first.status).toBe(200);
    expect((await me(first.body.access_token)).grants).toHaveLength(1);
    here.service.clock.advance(301);
    const second = await renew(first.body.refresh_token);
    expect((await me(second.body.access_token)).grants).toEqual([]);
    says('gus', { groups: ['staff', 'sales'] });
  });

  test('concurrent refreshes cause one call', async () => {
    const { body } = await here.signIn('gus');
    here.service.clock.advance(13 * HOURS);
    const responses = await Promise.all(Array.from({ length: 10 }, () => renew(body.refresh_token)));
    expect(responses.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(responses.map((response) => response.body.refresh_token)).size).toBe(1);
  });
});
