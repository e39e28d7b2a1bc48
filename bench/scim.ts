// SCIM with 100,000 people, a group of 50,000 and 200 groups: a lookup, changes of one member, lists, and an initial load.
import type { Client } from 'pg';
import type { EntityManager } from 'typeorm';
import { fetchJson, milliseconds } from './parts.js';
import { percentile, printRows, row, type Row, spreadOf } from './rows.js';
import { fillScim, GROUPS, LARGE, PEOPLE } from './scim-rows.js';
import { startTestBed, type TestBed } from './test-bed.js';
import { filterCondition } from '../src/accounts/scim/filter.js';
import { userComparisons } from '../src/accounts/scim/users/user-filter.js';
import { listScimUsers } from '../src/users/scim-users.queries.js';

const LOOKUPS = 500;
const CHANGES = 100;
const READS = 50;
const LOADED_PEOPLE = 10_000;
const PARALLEL = 20;
const MEMBERS_EACH = 100;

type Send = <T>(method: string, path: string, body?: object) => Promise<T>;

interface Resource {
  id: string;
}
interface List {
  totalResults: number;
  Resources: Resource[];
}

async function clientOf({ url, token }: TestBed): Promise<Send> {
  const account = { name: 'SCIM', scopes: ['scim'] };
  const { client_secret } = await fetchJson<{ client_secret: string }>(
    `${url}/api/service-accounts`,
    token,
    'POST',
    account,
  );
  return (method, path, body) => fetchJson(`${url}/scim/v2${path}`, client_secret, method, body);
}

const eq = (attribute: string, value: string): string =>
  `filter=${encodeURIComponent(`${attribute} eq "${value}"`)}`;

async function repeat(count: number, work: (index: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    times.push(await milliseconds(async () => void (await work(index))));
  }
  return times;
}

const timed = (work: string, times: readonly number[], atMost?: number): Row =>
  row({
    work: `scim: ${work}`,
    figures: { ms: spreadOf(times), 'p95 ms': percentile(times, 0.95) },
    value: percentile(times, 0.95),
    ...(atMost !== undefined && { goal: { atMost, unit: 'ms' } }),
  });

/** Runs each statement of the service with EXPLAIN, too, and adds what PostgreSQL takes in milliseconds. */
function explaining(database: Client, times: number[]): EntityManager {
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const explained = await database.query<{ 'QUERY PLAN': [Record<string, number>] }>(
      `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`,
      values,
    );
    const plan = explained.rows[0]?.['QUERY PLAN'][0] ?? {};
    times.push((plan['Planning Time'] ?? Infinity) + (plan['Execution Time'] ?? Infinity));
    return database.query(text, values);
  };
  const connection = { options: { extra: { prepares: false } } };
  return { connection, queryRunner: { connect: async () => ({ query }) } } as unknown as EntityManager;
}

const userNameOf = (index: number): string => `PERSON${((index * 7919) % PEOPLE) + 1}@vitrine.example`;

/** The statements of one lookup, the count and the page, are added. */
async function measureLookup({ database }: TestBed, send: Send): Promise<Row[]> {
  const times: number[] = [];
  for (let index = 0; index < LOOKUPS; index += 1) {
    const own: number[] = [];
    const condition = filterCondition(`userName eq "${userNameOf(index)}"`, userComparisons);
    await listScimUsers(explaining(database, own), condition, { offset: 0, limit: 100 });
    times.push(own.reduce((sum, each) => sum + each, 0));
  }
  const overHttp = await repeat(LOOKUPS, async (index) => {
    const { totalResults } = await send<List>('GET', `/Users?${eq('userName', userNameOf(index))}`);
    if (totalResults !== 1) throw new Error(`${totalResults} people have one name`);
  });
  return [
    timed('userName eq among 100,000 people, in PostgreSQL', times, 2),
    timed('userName eq among 100,000 people, over HTTP', overHttp),
  ];
}

async function measureMembers({ database }: TestBed, send: Send, large: string): Promise<Row[]> {
  const path = `/Groups/${large}`;
  const { rows: people } = await database.query<Resource>(
    `SELECT id FROM scim_people WHERE n > ${LARGE} ORDER BY n LIMIT ${CHANGES}`,
  );
  const patch = (op: string, operation: object) =>
    send('PATCH', path, {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op, ...operation }],
    });
  const added = await repeat(people.length, (index) =>
    patch('Add', { path: 'members', value: [{ value: people[index]?.id }] }),
  );
  const removed = await repeat(people.length, (index) =>
    patch('Remove', { path: `members[value eq "${people[index]?.id}"]` }),
  );
  return [
    timed('PATCH adds a member to a group of 50,000', added, 50),
    timed('PATCH removes a member from a group of 50,000', removed, 50),
  ];
}

async function measureReads(send: Send, large: string): Promise<Row[]> {
  const reads: [string, string, number?][] = [
    ['100 groups without members', '/Groups?count=100&excludedAttributes=members', 600],
    ['100 groups of 500 with members', '/Groups?count=100&startIndex=2', 600],
    [
      'displayName eq, without members',
      `/Groups?${eq('displayName', 'Team 7')}&excludedAttributes=members`,
      600,
    ],
    ['a group of 50,000 without members', `/Groups/${large}?excludedAttributes=members`, 600],
    ['a group of 50,000 with members', `/Groups/${large}`],
  ];
  const rows: Row[] = [];
  for (const [work, path, atMost] of reads) {
    rows.push(timed(work, await repeat(READS, () => send('GET', path)), atMost));
  }
  return rows;
}

async function parallel(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: PARALLEL }, caller));
}

/** As Microsoft Entra ID does it: people, empty groups, then members in requests of up to 100. */
async function measureLoad(send: Send): Promise<Row> {
  const people: string[] = [];
  const createPeople = await milliseconds(() =>
    parallel(LOADED_PEOPLE, async (index) => {
      const userName = `new${index}@vitrine.example`;
      const name = { givenName: 'New', familyName: String(index) };
      const emails = [{ primary: true, type: 'work', value: userName }];
      const user = {
        userName,
        externalId: `new${index}`,
        active: true,
        displayName: `New ${index}`,
        name,
        emails,
      };
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
      people.push((await send<Resource>('POST', '/Users', { schemas, ...user })).id);
    }),
  );
  const schemas = ['urn:ietf:params:scim:schemas:core:2.0:Group'];
  const fillGroups = await milliseconds(() =>
    parallel(GROUPS, async (index) => {
      const group = { schemas, displayName: `New group ${index}`, externalId: `new-group${index}` };
      const { id } = await send<Resource>('POST', '/Groups', group);
      const members = people.filter(
        (_, position) => position % GROUPS === index || position % (GROUPS / 2) === index,
      );
      for (let start = 0; start < members.length; start += MEMBERS_EACH) {
        const value = members.slice(start, start + MEMBERS_EACH).map((person) => ({ value: person }));
        await send('PATCH', `/Groups/${id}`, {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
          Operations: [{ op: 'Add', path: 'members', value }],
        });
      }
    }),
  );
  return row({
    work: 'scim: initial load of 10,000 people and 200 groups',
    figures: {
      's in all': (createPeople + fillGroups) / 1000,
      's for people': createPeople / 1000,
      's for groups': fillGroups / 1000,
      'people a second': LOADED_PEOPLE / (createPeople / 1000),
    },
  });
}

const testBed = await startTestBed({ cores: 'shared' });
try {
  const large = await fillScim(testBed.database);
  const send = await clientOf(testBed);
  printRows([
    ...(await measureLookup(testBed, send)),
    ...(await measureMembers(testBed, send, large)),
    ...(await measureReads(send, large)),
    await measureLoad(send),
  ]);
} finally {
  await testBed.close();
}
