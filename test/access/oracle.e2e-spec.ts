import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EmbedRightsService } from '../../src/embed/embed-rights.service.js';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { isFull, parts, PROPERTY_TIMEOUT_MS, propertyLimits } from '../support/test-size.js';
import { downloadReview, linesOf } from './review-file.js';
import { type Model, type ModelGrant, REPORTS_EACH, reportCount, roleOn } from './reference.js';

const MODELS = isFull ? 500 : 100;
/**
 * For a run by hand: ORACLE_MODELS is the number of random models, and processes with different values of ORACLE_SEED, from 0, divide
 * a larger number. A run of more than 20 minutes needs TEST_FILE_SECONDS, too.
 */
const { ORACLE_MODELS, ORACLE_SEED } = process.env;
const testedParts =
  ORACLE_MODELS === undefined
    ? parts
    : Array.from({ length: Math.ceil(Number(ORACLE_MODELS) / MODELS) }, (_, n) => n + 1);
const limitsOf = (part: number) =>
  ORACLE_MODELS === undefined
    ? propertyLimits
    : {
        ...propertyLimits,
        markInterruptAsFailure: true,
        seed: Number(ORACLE_SEED ?? Date.now() % 100_000) * 10_000 + part,
      };

/** The maximum. */
const LEVELS = 10;
/** Levels of groups, alternately one group and two: each pair makes a diamond with the levels around it. */
const levels = Array.from({ length: LEVELS }, (_, level) => {
  const first = level + Math.floor(level / 2);
  return level % 2 === 0 ? [first] : [first, first + 1];
});
const [USERS, FLAT_GROUPS, GROUPS, WORKSPACES] = [3, 4, levels.flat().length, 2];
const REPORTS = WORKSPACES * REPORTS_EACH;

let service: Service;
let admin: Client;
let users: User[];
let clients: Client[];
let groups: Group[];
let workspaces: Workspace[];
let reports: Report[];

const times = <T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)));

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const { factory } = service;
  admin = await service.asAdmin();
  users = await times(USERS, () => factory.user());
  clients = await Promise.all(users.map((user) => service.as(user)));
  groups = await times(GROUPS, () => factory.group());
  workspaces = await times(WORKSPACES, () => factory.workspace());
  reports = [];
  for (const workspace of workspaces)
    for (let n = 0; n < REPORTS_EACH; n += 1) reports.push(await factory.report(workspace));
});
afterAll(() => service.close());

const index = (count: number) => fc.nat({ max: count - 1 });
const given = fc.oneof(
  fc.record({
    target: fc.record({ type: fc.constant('workspace' as const), index: index(WORKSPACES) }),
    role: fc.constantFrom('viewer' as const, 'editor' as const, 'manager' as const),
  }),
  fc.record({
    target: fc.record({ type: fc.constant('report' as const), index: index(REPORTS) }),
    role: fc.constantFrom('viewer' as const, 'editor' as const),
  }),
);
/** To a user, or to one of so many groups. */
const grantOf = (groupCount: number): fc.Arbitrary<ModelGrant> =>
  fc
    .tuple(
      fc.oneof(
        fc.record({ type: fc.constant('user' as const), index: index(USERS) }),
        fc.record({ type: fc.constant('group' as const), index: index(groupCount) }),
      ),
      given,
      fc.boolean(),
    )
    .map(([holder, right, isExpired]) => ({ holder, ...right, isExpired }));
const keyOf = (value: unknown): string => JSON.stringify(value);
const modelOf = (groupCount: number, nested: fc.Arbitrary<[number, number][]>): fc.Arbitrary<Model> =>
  fc.record({
    people: fc.uniqueArray(fc.tuple(index(groupCount), index(USERS)), { maxLength: 6, selector: keyOf }),
    nested,
    grants: fc.uniqueArray(grantOf(groupCount), {
      maxLength: 6,
      selector: (each) => keyOf([each.holder, each.target]),
    }),
  });
const flat = modelOf(
  FLAT_GROUPS,
  // A group contains only groups with a higher number: no cycle.
  fc.uniqueArray(
    fc.tuple(index(FLAT_GROUPS), index(FLAT_GROUPS)).filter(([outer, inner]) => outer < inner),
    { maxLength: 4, selector: keyOf },
  ),
);
/** Nested diamonds of up to LEVELS levels, of which up to two edges are missing. */
const deep = fc.integer({ min: 5, max: LEVELS }).chain((depth) => {
  const used = levels.slice(0, depth);
  const edges = used.flatMap((outer, level) =>
    outer.flatMap((group) => (used[level + 1] ?? []).map((inner): [number, number] => [group, inner])),
  );
  return modelOf(used.flat().length, fc.subarray(edges, { minLength: edges.length - 2 }));
});
const models = fc.oneof({ arbitrary: flat, weight: 3 }, { arbitrary: deep, weight: 1 });

const pathOf = ({ holder: { type, index: number }, target }: ModelGrant): string => {
  const targetId = (target.type === 'workspace' ? workspaces : reports)[target.index]?.id;
  return `/api/${target.type}s/${targetId}/grants/${type}s/${(type === 'user' ? users : groups)[number]?.id}`;
};
const memberPath = (outer: number, kind: 'users' | 'groups', member: number): string =>
  `/api/groups/${groups[outer]?.id}/members/${kind}/${(kind === 'users' ? users : groups)[member]?.id}`;

async function expectStatus(response: Promise<{ status: number }>, ...statuses: number[]): Promise<void> {
  expect(statuses).toContain((await response).status);
}

/** Changes the stored rights from one model to the next, through the API, except that grants expire by SQL. */
async function change(from: Model, to: Model): Promise<void> {
  const edges = ({ people, nested }: Model) => [
    ...people.map(([group, user]) => memberPath(group, 'users', user)),
    ...nested.map(([outer, inner]) => memberPath(outer, 'groups', inner)),
  ];
  const [before, after] = [new Set(edges(from)), new Set(edges(to))];
  for (const path of before) if (!after.has(path)) await expectStatus(admin.delete(path), 204);
  for (const path of after) if (!before.has(path)) await expectStatus(admin.put(path), 204);
  const kept = new Set(to.grants.map(pathOf));
  for (const path of from.grants.map(pathOf))
    if (!kept.has(path)) await expectStatus(admin.delete(path), 204);
  for (const each of to.grants) await expectStatus(admin.put(pathOf(each), { role: each.role }), 200);
  for (const {
    holder: { type, index: number },
    target,
  } of to.grants.filter(({ isExpired }) => isExpired)) {
    await service.database.query(
      `UPDATE grants SET expires_at = now() - interval '1 minute'
       WHERE ${type}_id = $1 AND coalesce(report_id, workspace_id) = $2`,
      [
        (type === 'user' ? users : groups)[number]?.id,
        (target.type === 'workspace' ? workspaces : reports)[target.index]?.id,
      ],
    );
  }
}

/** What a user sees in lists, which contain all that the user can see. */
async function listedFor(user: number): Promise<object> {
  const client = clients[user] as Client;
  const [spaces, list] = await Promise.all([
    client.get<{ workspaces: { id: string; report_count: number }[] }>('/api/workspaces'),
    client.get<{ reports: { id: string }[] }>('/api/reports'),
  ]);
  return {
    workspaces: workspaces.map(
      (each) => spaces.body.workspaces.find((found) => found.id === each.id)?.report_count,
    ),
    list: reports.map((report) => list.body.reports.some((found) => found.id === report.id)),
  };
}

/** What a user can do with each report, as each part of the service decides it; all parts must agree. */
async function seenBy(user: number): Promise<object> {
  const client = clients[user] as Client;
  const { id } = users[user] as User;
  const [single, explained, embed] = await Promise.all([
    Promise.all(reports.map((report) => client.get(`/api/reports/${report.id}`))),
    Promise.all(
      reports.map((report) =>
        admin.get<{ allowed: boolean; grant: { role: string } | null }>(
          `/api/access/explain?user_id=${id}&report_id=${report.id}`,
        ),
      ),
    ),
    Promise.all(reports.map((report) => embedAccess(id, report.id))),
  ]);
  return {
    single: single.map(({ status }) => status === 200),
    explained: explained.map(({ body }) => (body.allowed ? body.grant?.role : undefined)),
    embed,
  };
}

async function embedAccess(userId: string, reportId: string): Promise<'edit' | 'view' | undefined> {
  const rights = service.app.get(EmbedRightsService);
  const view = await rights.read(userId, reportId, 'view').catch(() => undefined);
  if (view?.suffices !== true) return undefined;
  return (await rights.read(userId, reportId, 'edit')).suffices ? 'edit' : 'view';
}

const rolesOf = (model: Model, user: number) => reports.map((_, report) => roleOn(model, user, report));

const expectedList = (model: Model, user: number): object => ({
  workspaces: workspaces.map((_, workspace) => reportCount(model, user, workspace)),
  list: rolesOf(model, user).map((role) => role !== undefined),
});

function expectedEach(model: Model, user: number): object {
  const roles = rolesOf(model, user);
  return {
    single: roles.map((role) => role !== undefined),
    explained: roles,
    embed: roles.map((role) => role && (role === 'viewer' ? 'view' : 'edit')),
  };
}

interface ReviewLine {
  user: { id: string };
  resource: { type: string; id: string | null };
  role: 'viewer' | 'editor' | 'manager' | 'admin';
}

const strength = ['viewer', 'editor', 'manager'];

/** The strongest role of each user on each report, from the lines of the access review. */
async function reviewed(): Promise<(string | undefined)[][]> {
  const rows = linesOf<ReviewLine>(await (await downloadReview(service, admin)).text());
  return users.map(({ id }) =>
    reports.map((report) => {
      const roles = rows
        .filter(
          ({ user, resource }) =>
            user.id === id && [report.id, report.workspaceId].includes(resource.id ?? ''),
        )
        .map(({ role }) => role);
      return strength.findLast((role) => roles.includes(role as (typeof roles)[number]));
    }),
  );
}

/** How often the route is called: a token costs more than the other reads of a model together. */
const EMBED_EVERY = 20;

/** The error of an embed token, once the service is not overloaded. */
const embedError = (client: Client, reportId: string): Promise<string> =>
  until(async () => {
    const { body } = await client.post<{ code?: string }>(`/api/reports/${reportId}/embed-token`);
    return body.code !== 'overloaded' && (body.code ?? 'none');
  });

/** Whether the route finds each report for each user. Power BI, which has none of these reports, is asked only then. */
const embeds = (): Promise<boolean[][]> =>
  Promise.all(
    clients.map((client) =>
      Promise.all(reports.map(async ({ id }) => (await embedError(client, id)) !== 'report_not_found')),
    ),
  );

async function viewersOf(report: Report): Promise<Record<string, string>> {
  const { body } = await admin.get<{ viewers: { user_id: string; role: string }[] }>(
    `/api/reports/${report.id}/viewers`,
  );
  return Object.fromEntries(
    body.viewers.filter(({ role }) => role !== 'admin').map(({ user_id, role }) => [user_id, role]),
  );
}

/** What the database contains. */
let current: Model = { people: [], nested: [], grants: [] };

test.each(testedParts)(
  `${MODELS} random models: lists, single reads, explanations, viewers, review and embed agree with the reference (%i)`,
  async (part) => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(models, async (model) => {
        await change(current, model);
        current = model;
        for (let user = 0; user < USERS; user += 1) {
          expect(await listedFor(user)).toEqual(expectedList(model, user));
        }
        // The users of a random model are alike: what takes a request for each report is asked for one of them.
        const one = count % USERS;
        expect(await seenBy(one)).toEqual(expectedEach(model, one));
        const roles = users.map((_, user) => rolesOf(model, user));
        expect(await reviewed()).toEqual(roles);
        const isSeen = roles.map((each) => each.map((role) => role !== undefined));
        expect(count % EMBED_EVERY === 0 ? await embeds() : isSeen).toEqual(isSeen);
        count += 1;
        for (const [number, report] of reports.entries()) {
          const expected = users.map(({ id }, user) => [id, roleOn(model, user, number)] as const);
          expect(await viewersOf(report)).toEqual(Object.fromEntries(expected.filter(([, role]) => role)));
        }
      }),
      { ...limitsOf(part), numRuns: MODELS },
    );
    expect(count).toBeGreaterThanOrEqual(MODELS / 5);
  },
  PROPERTY_TIMEOUT_MS,
);
