import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CacheInvalidationService } from '../src/core/database/cache-invalidation.service.js';
import type { Report } from '../src/reports/report.entity.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { type Embedding, startEmbedding } from './embedding/embedding.js';
import { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type ReplicaProcess, startReplicaProcess } from './support/replicas.js';
import type { Service } from './support/service.js';
import { until } from './support/until.js';

// Counts requests, and says itself when a cache is warm.
Client.warms = false;

interface Person {
  user: User;
  here: Client;
  there: Client;
  refreshToken: string;
}

let embedding: Embedding;
let service: Service;
let replica: ReplicaProcess;
let admin: Client;
let sales: Workspace;
let revenue: Report;
let pipeline: Report;

beforeAll(async () => {
  embedding = await startEmbedding();
  ({ service } = embedding);
  // Its own process: two services in one share passport's strategies.
  replica = await startReplicaProcess(service.environment);
  admin = await service.asAdmin();
  sales = await embedding.workspace('Sales');
  [revenue, pipeline] = [await embedding.report('Revenue overview'), await embedding.report('Pipeline')];
  await until(() => service.app.get(CacheInvalidationService).isCurrent);
});
afterAll(async () => {
  await replica.close();
  await service.close();
});

/** At the replica: to it, a token of this clock, which tests put forward, would be from the future. */
async function signIn(user: User): Promise<Person> {
  const { body } = await replica.api.post<Record<'access_token' | 'refresh_token', string>>(
    '/api/auth/token',
    { email: user.email, password },
  );
  const here = new Client(service.url, body.access_token);
  return { user, here, there: new Client(replica.url, here.token), refreshToken: body.refresh_token };
}
async function memberWith(role: 'viewer' | 'manager'): Promise<Person> {
  const user = await service.factory.user();
  await service.factory.grant(user, sales, role);
  return signIn(user);
}
/** The tree of the person that was created last: the outermost group, and the path of the edge below it. */
const tree = { outer: '', edge: '' };
/** A manager through the innermost of four groups, of which the outermost holds the grant. */
async function memberOfTree(): Promise<Person> {
  const user = await service.factory.user();
  const groups = [];
  for (let level = 0; level < 4; level += 1) groups.push((await service.factory.group()).id);
  for (const [level, id] of groups.slice(1).entries())
    await admin.put(`/api/groups/${groups[level]}/members/groups/${id}`);
  await admin.put(`/api/groups/${groups[3]}/members/users/${user.id}`);
  await admin.put(`/api/workspaces/${sales.id}/grants/groups/${groups[0]}`, { role: 'manager' });
  tree.outer = groups[0] ?? '';
  tree.edge = `/api/groups/${groups[0]}/members/groups/${groups[1]}`;
  return signIn(user);
}
const platformAdmin = async (): Promise<Person> => signIn(await service.factory.admin());
const sql = (text: string, ...values: unknown[]) => service.database.query(text, values);

type Probe = (person: Person, client: Client) => Promise<boolean>;
const lists = (path: string, id: () => string): Probe => {
  return async (_, client) => JSON.stringify((await client.get(`${path}?limit=1000`)).body).includes(id());
};
const responds = (send: (person: Person, client: Client) => Promise<{ status: number }>): Probe => {
  return async (person, client) => (await send(person, client)).status === 200;
};
/** Each is true while the person has the access that its name states. */
const probes = {
  'list of workspaces': lists('/api/workspaces', () => sales.id),
  'list of reports': lists('/api/reports', () => revenue.id),
  'single workspace': responds((_, client) => client.get(`/api/workspaces/${sales.id}`)),
  'single report': responds((_, client) => client.get(`/api/reports/${revenue.id}`)),
  'embed token, reused': responds((_, client) => embedding.embed(client, revenue)),
  'embed token, new': responds((_, client) => embedding.embed(client, pipeline)),
  explain: responds(({ user }, client) =>
    client.get(`/api/access/explain?user_id=${user.id}&report_id=${revenue.id}`),
  ),
  'session refresh': responds(async (person, client) => {
    const { refreshToken: refresh_token } = person;
    const given = { grant_type: 'refresh_token', refresh_token };
    const response = await client.post<{ refresh_token: string }>('/api/auth/token', given);
    if (response.status === 200) person.refreshToken = response.body.refresh_token;
    return response;
  }),
};
type Access = keyof typeof probes;
const names = Object.keys(probes) as Access[];
const tokens: Access[] = ['embed token, reused', 'embed token, new'];
const data: Access[] = names.filter((name) => name !== 'session refresh');

/** What of this the person still has. */
async function remaining(person: Person, client: Client, accesses: readonly Access[]): Promise<Access[]> {
  const found = await Promise.all(accesses.map((name) => probes[name](person, client)));
  return accesses.filter((_, index) => found[index]);
}

interface Change {
  who: () => Promise<Person>;
  /** By the API. */
  change: (person: Person) => Promise<unknown>;
  /** The same past the service. */
  direct: (person: Person) => Promise<unknown>;
  /** What the person has before and not after it. */
  lost: readonly Access[];
}

const grantPath = ({ user }: Person): string => `/api/workspaces/${sales.id}/members/${user.id}`;
const changes: Record<string, Change> = {
  'revocation for a user': {
    who: () => memberWith('manager'),
    change: ({ user }) => admin.post('/api/embed-grants/revoke', { user_id: user.id }),
    direct: ({ user }) =>
      sql(
        `INSERT INTO embed_revocations (id, user_id, revoked_by, revoked_at)
         VALUES (gen_random_uuid(), $1, $1, now())`,
        user.id,
      ),
    lost: tokens,
  },
  removal: {
    who: () => memberWith('manager'),
    change: (person) => admin.delete(grantPath(person)),
    direct: ({ user }) => sql('DELETE FROM grants WHERE user_id = $1', user.id),
    lost: data,
  },
  disabling: {
    who: () => memberWith('manager'),
    change: ({ user }) => admin.patch(`/api/users/${user.id}`, { status: 'disabled' }),
    direct: ({ user }) => sql(`UPDATE users SET status = 'disabled' WHERE id = $1`, user.id),
    lost: names,
  },
  'demotion of an admin': {
    who: platformAdmin,
    change: ({ user }) => admin.patch(`/api/users/${user.id}`, { role: 'member' }),
    direct: ({ user }) => sql(`UPDATE users SET role = 'member' WHERE id = $1`, user.id),
    lost: data,
  },
  'demotion of a manager': {
    who: () => memberWith('manager'),
    change: (person) => admin.put(grantPath(person), { role: 'viewer' }),
    direct: ({ user }) => sql(`UPDATE grants SET role = 'viewer' WHERE user_id = $1`, user.id),
    lost: ['explain'],
  },
  'removal of an edge deep in a tree of groups': {
    who: memberOfTree,
    change: () => admin.delete(tree.edge),
    direct: () =>
      sql(
        `WITH edges AS (DELETE FROM group_edges WHERE group_id = $1)
         DELETE FROM group_closure WHERE outer_id = $1 AND inner_id <> $1`,
        tree.outer,
      ),
    lost: data,
  },
  'end of the session': {
    who: () => memberWith('manager'),
    change: ({ here }) => here.post('/api/auth/logout'),
    direct: ({ user }) => sql('UPDATE sessions SET ended_at = now() WHERE user_id = $1', user.id),
    lost: names,
  },
};

describe('SES-09 SES-15 a change of access rights', () => {
  /** Somebody whose principal both replicas have cached, and who has a token for one report from both. */
  async function warmed({ who }: Change): Promise<Person> {
    const person = await who();
    const old = names.filter((name) => name !== 'embed token, new');
    for (const client of [person.here, person.there]) {
      expect(await remaining(person, client, old)).toEqual(old);
    }
    return person;
  }

  test.each(Object.keys(changes))(
    '%s: effective on the next request here, and on the other replica',
    async (name) => {
      const { change, lost } = changes[name] as Change;
      const person = await warmed(changes[name] as Change);
      await change(person);
      expect(await remaining(person, person.here, lost)).toEqual([]);
      await until(async () => (await remaining(person, person.there, lost)).length === 0);
      const kept = names.filter((each) => !lost.includes(each));
      expect(await remaining(person, person.there, kept)).toEqual(kept);
    },
  );

  test.each(Object.keys(changes))('%s by direct SQL: effective here within 5 s', async (name) => {
    const { direct, lost } = changes[name] as Change;
    const person = await warmed(changes[name] as Change);
    await direct(person);
    service.clock.advance(5);
    expect(await remaining(person, person.here, lost)).toEqual([]);
  });

  test('each change by direct SQL is effective on the other replica', async () => {
    const all = Object.values(changes);
    const people = await Promise.all(all.map(warmed));
    await Promise.all(all.map(({ direct }, index) => direct(people[index] as Person)));
    await until(async () => {
      const left = await Promise.all(
        all.map(({ lost }, index) =>
          remaining(people[index] as Person, (people[index] as Person).there, lost),
        ),
      );
      return left.flat().length === 0;
    });
  });

  test('a new grant and a new role are effective on the next request', async () => {
    const person = await signIn(await service.factory.user());
    expect(await remaining(person, person.here, data)).toEqual([]);
    await admin.put(grantPath(person), { role: 'manager' });
    expect(await remaining(person, person.here, data)).toEqual(data);
    await admin.delete(grantPath(person));
    await admin.patch(`/api/users/${person.user.id}`, { role: 'admin' });
    expect(await remaining(person, person.here, data)).toEqual(data);
  });

  test('an expiring grant ends at its exact second', async () => {
    const person = await memberWith('manager');
    const reads = data.filter((name) => !tokens.includes(name));
    await service.clock.frozen(async () => {
      const end = service.clock.in(20);
      await admin.put(grantPath(person), { role: 'manager', expires_at: end.toISOString() });
      expect(await remaining(person, person.here, reads)).toEqual(reads);
      service.clock.advance(19);
      expect(await remaining(person, person.here, reads)).toEqual(reads);
      service.clock.advance(1);
      expect(await remaining(person, person.here, reads)).toEqual([]);
    });
    expect((await embedding.embed(person.here, revenue)).status).toBe(404);
  });
});

test('changes of a sync are visible immediately here and on the next request of the other replica', async () => {
  await service.powerBi.post('/__emulator/content', { workspaces: 3, reports_per_workspace: 3 });
  await service.sync();
  const person = await platformAdmin();
  const reports = async (client: Client) =>
    JSON.stringify((await client.get('/api/reports?limit=1000')).body);
  expect(await reports(person.here)).toBe(await reports(person.there));
  const before = await reports(person.here);
  await service.powerBi.post('/__emulator/content', { workspaces: 4, reports_per_workspace: 4 });
  await service.sync();
  expect(await reports(person.here)).not.toBe(before);
  expect(await reports(person.there)).toBe(await reports(person.here));
});
