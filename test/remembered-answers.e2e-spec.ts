import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { RememberedAnswers } from '../src/answers/remembered-answers.service.js';
import { Changes } from '../src/database/changes.service.js';
import type { Report } from '../src/reports/report.entity.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { type Answer, Client } from './support/client.js';
import { type Line, lineTo } from './support/line.js';
import { type Replica, startReplica, stopReplica } from './support/replicas.js';
import { type Service, startService } from './support/service.js';
import { until } from './support/until.js';

// Counts requests.
Client.warms = false;

let service: Service;
let replica: Replica;
let line: Line;
let admin: Client;
let sales: Workspace;
let revenue: Report;
let ada: User;
let member: Client;
let paths: string[];

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '100000' });
  line = await lineTo(service.databaseUrl);
  const environment = { ...service.environment, DATABASE_DIRECT_URL: line.url };
  replica = await startReplica(environment);
  admin = await service.asAdmin();
  await until(() => service.app.get(Changes).isCurrent);
});
afterAll(async () => {
  await stopReplica(replica);
  await line.cut();
  await service.close();
});

beforeEach(async () => {
  sales = await service.factory.workspace();
  revenue = await service.factory.report(sales);
  ada = await service.factory.user();
  await service.factory.grant(ada, sales);
  member = await service.as(ada);
  paths = [
    '/api/workspaces?limit=25',
    `/api/workspaces/${sales.id}`,
    '/api/reports?limit=25',
    `/api/reports/${revenue.id}`,
  ];
});

/** The same person, calling this replica. */
const at = ({ url }: Replica, { token }: Client): Client => new Client(url, token);
const ask = (client: Client): Promise<Answer[]> => Promise.all(paths.map((path) => client.get(path)));
const statuses = async (client: Client): Promise<number[]> => (await ask(client)).map(({ status }) => status);
/** Lists are empty and single reads are not found. */
const sees = async (client: Client): Promise<boolean> => {
  const [workspaces, one] = await ask(client);
  expect(one?.status).toBe(JSON.stringify(workspaces?.body).includes(sales.id) ? 200 : 404);
  return one?.status === 200;
};
/** Nothing can be read from the catalogue while this runs. */
async function withoutCatalogue<T>(work: () => Promise<T>): Promise<T> {
  await service.database.query('ALTER TABLE workspaces RENAME TO hidden_workspaces');
  await service.database.query('ALTER TABLE reports RENAME TO hidden_reports');
  try {
    return await work();
  } finally {
    await service.database.query('ALTER TABLE hidden_workspaces RENAME TO workspaces');
    await service.database.query('ALTER TABLE hidden_reports RENAME TO reports');
  }
}

describe('an answer that nothing has changed', () => {
  test('is given again as it was, without the database', async () => {
    const first = await ask(member);
    const again = await withoutCatalogue(() => ask(member));
    expect(again.map(({ status, body }) => ({ status, body }))).toEqual(
      first.map(({ body }) => ({ status: 200, body })),
    );
    for (const [index, { headers }] of again.entries()) {
      for (const name of ['etag', 'cache-control', 'content-type', 'content-length', 'x-frame-options']) {
        expect(headers.get(name)).toBe(first[index]?.headers.get(name));
      }
      expect(headers.get('x-request-id')).not.toBe(first[index]?.headers.get('x-request-id'));
    }
  });

  test('keeps the link to its next page, and is a 304 for who has it', async () => {
    await service.factory.grant(ada, await service.factory.workspace());
    const first = await member.get('/api/workspaces?limit=1');
    await withoutCatalogue(async () => {
      const { headers } = await member.get('/api/workspaces?limit=1');
      expect(headers.get('link')).toBe(first.headers.get('link'));
      expect(headers.get('link')).toContain('rel="next"');
      const etag = headers.get('etag') ?? '';
      const held = await member.get('/api/workspaces?limit=1', { 'if-none-match': etag });
      expect(held).toMatchObject({ status: 304, body: {} });
      expect(held.headers.get('etag')).toBe(etag);
    });
  });

  test('spends the budgets of person and address as always', async () => {
    const left = async () => {
      const { headers } = await member.send('GET', '/api/workspaces', {});
      return [...(headers.get('ratelimit') ?? '').matchAll(/r=(\d+)/g)].map(([, count]) => Number(count));
    };
    const [address = 0, person = 0] = await left();
    expect(await left()).toEqual([address - 1, person - 1]);
  });

  test('is nobody else’s, and nobody’s without a token', async () => {
    await ask(member);
    const other = await service.as(await service.factory.user());
    expect(await sees(other)).toBe(false);
    expect(await statuses(service.api)).toEqual([401, 401, 401, 401]);
    expect(await sees(member)).toBe(true);
  });

  test('AZ-12 is no way round: methods, broken paths and other queries go through the routes', async () => {
    await ask(member);
    const [list = '', one = ''] = paths;
    expect((await member.post(list)).status).toBe(405);
    expect((await member.get(`${list}&limit=26`)).status).toBe(400);
    expect((await member.get(`${list}&unknown=1`)).status).toBe(400);
    expect((await member.get(`${one}/..%2f..`)).status).toBe(404);
  });
});

describe('SES-09 SES-15 an answer is forgotten with the rights that it was made under', () => {
  const grantPath = () => `/api/workspaces/${sales.id}/members/${ada.id}`;
  const endings: [string, () => Promise<unknown>, (client: Client) => Promise<boolean>][] = [
    ['the grant taken away', () => admin.delete(grantPath()), sees],
    ['the person disabled', () => admin.patch(`/api/users/${ada.id}`, { status: 'disabled' }), isIn],
    ['signed out', () => member.post('/api/auth/logout'), isIn],
  ];
  async function isIn(client: Client): Promise<boolean> {
    const found = await statuses(client);
    return !found.every((status) => status === 401);
  }

  test.each(endings)('%s: on the next request here, within a second there', async (_, end, may) => {
    const there = at(replica, member);
    expect([await may(member), await may(there)]).toEqual([true, true]);
    await end();
    expect(await may(member)).toBe(false);
    const told = performance.now();
    await until(async () => !(await may(there)));
    expect(performance.now() - told).toBeLessThan(1000);
  });

  test('a new grant is seen on the next request', async () => {
    const other = await service.factory.workspace();
    await ask(member);
    await admin.put(`/api/workspaces/${other.id}/members/${ada.id}`, { role: 'viewer' });
    const { body } = await member.get('/api/workspaces?limit=25');
    expect(JSON.stringify(body)).toContain(other.id);
  });

  test('a grant that ends by itself ends at its second', async () => {
    const end = new Date(service.clock.now().getTime() + 20_000);
    await admin.put(grantPath(), { role: 'viewer', expires_at: end.toISOString() });
    expect(await sees(member)).toBe(true);
    service.clock.advance(19);
    expect(await sees(member)).toBe(true);
    service.clock.advance(1);
    expect(await sees(member)).toBe(false);
  });

  test('a role', async () => {
    const hidden = await service.factory.workspace();
    await ask(member);
    await admin.patch(`/api/users/${ada.id}`, { role: 'admin' });
    const seen = async () => JSON.stringify((await member.get('/api/workspaces?limit=1000')).body);
    expect(await seen()).toContain(hidden.id);
    await admin.patch(`/api/users/${ada.id}`, { role: 'member' });
    expect(await seen()).not.toContain(hidden.id);
  });
});

describe('the catalogue', () => {
  test('what a sync changed is seen at once here, and soon there', async () => {
    const here = await service.asAdmin();
    const there = at(replica, here);
    const count = async (client: Client): Promise<number> => {
      const { body } = await client.get<{ reports: object[] }>('/api/reports');
      return body.reports.length;
    };
    await service.powerBi.post('/__emulator/content', { workspaces: 3, reports_per_workspace: 3 });
    await service.sync();
    await Promise.all([count(here), count(there)]);
    await service.powerBi.post('/__emulator/content', { workspaces: 4, reports_per_workspace: 4 });
    await service.sync();
    const names = JSON.stringify((await here.get('/api/reports')).body);
    expect(await count(here)).toBeGreaterThanOrEqual(16);
    await until(async () => JSON.stringify((await there.get('/api/reports')).body) === names);
  });

  test('what was read before a change is not kept after it', async () => {
    const [path = ''] = paths;
    const answers = service.app.get(RememberedAnswers);
    const prepare = answers.prepare.bind(answers);
    // A change that comes while the answer is made.
    answers.prepare = async (caller) => {
      const making = await prepare(caller);
      service.changed();
      return making;
    };
    await member.get(path);
    answers.prepare = prepare;
    expect((await withoutCatalogue(() => member.get(path))).status).toBe(500);
  });
});

test('a replica that cannot know what has changed remembers nothing', async () => {
  const there = at(replica, member);
  expect(await statuses(there)).toEqual([200, 200, 200, 200]);
  expect(await withoutCatalogue(() => statuses(there))).toEqual([200, 200, 200, 200]);
  await line.cut();
  await withoutCatalogue(() => until(async () => (await statuses(there)).every((status) => status === 500)));
  expect(await statuses(there)).toEqual([200, 200, 200, 200]);
  await line.mend();
  await until(async () => {
    await statuses(there);
    return (await withoutCatalogue(() => statuses(there))).every((status) => status === 200);
  });
});

test('ANSWER_MEMORY_MB=0 remembers nothing', async () => {
  const forgetful = await startReplica({ ...service.environment, ANSWER_MEMORY_MB: '0' });
  const there = at(forgetful, member);
  expect(await statuses(there)).toEqual([200, 200, 200, 200]);
  expect(await withoutCatalogue(() => statuses(there))).toEqual([500, 500, 500, 500]);
  await stopReplica(forgetful);
});
