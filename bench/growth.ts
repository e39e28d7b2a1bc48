// Pages and searches while an organization grows: the number of its workspaces, of 20 reports each, and the length of an
// admin's lists. A member has 50 workspaces with 1,000 reports, which is the size of the smallest organization.
import { setTimeout as sleep } from 'node:timers/promises';
import { type TestBed, startTestBed } from './test-bed.js';
import { fillCatalogue, grantWorkspaces } from './catalogue-rows.js';
import { requestAs, createUsers } from './bench-users.js';
import { measureGroups } from './growth-groups.js';
import { measureInTurn, seconds } from './rounds.js';
import { type Row, row, printRows } from './rows.js';
import { type Figures, load } from './wrk.js';

/** Number of reports, smallest first; `none` measures groups only. */
const sizes = (process.env.BENCH_SIZES ?? '1000,1000000').split(',').map(Number).filter(Boolean);
const REPORTS_EACH = 20;
const MEMBER_OF = 50;
const connections = 4;
/** There are many short measurements. */
const period = Math.min(seconds, 2);

interface Caller {
  name: 'member' | 'admin';
  token: string;
  /** Number of items visible to this caller. */
  sees: { workspaces: number; reports: number };
}

interface Organization {
  testBed: TestBed;
  /** URL of the measured service. */
  url: string;
  callers: Caller[];
}

const lists = [
  { list: 'workspaces', limit: 25 },
  { list: 'reports', limit: 100 },
] as const;

/** Names are `Report 0017 of Workspace 004711`. */
const searches: [kind: string, q: string][] = [
  ['in all names', 'report'],
  ['in one name of 20', '0017 of'],
  ['in one name of 500', 'workspace 0471'],
  ['in 20 names', 'workspace 000123'],
  ['in no name', 'quarterly'],
  ['of two letters, in all names', 'of'],
  ['of two letters, in no name', 'zz'],
  ['of two letters, at the beginning of many words', '04'],
  ['of one letter, in all names', 'w'],
  ['of one letter, in no name', 'z'],
];

async function organizationOf(reports: number): Promise<Organization> {
  const testBed = await startTestBed();
  try {
    const workspaces = reports / REPORTS_EACH;
    await fillCatalogue(testBed.database, { workspaces, reportsEach: REPORTS_EACH });
    const [user] = await createUsers(testBed, 1);
    const { id = '', token = '' } = user ?? {};
    await grantWorkspaces(testBed.database, id, MEMBER_OF);
    const own = { workspaces: MEMBER_OF, reports: MEMBER_OF * REPORTS_EACH };
    const callers: Caller[] = [
      { name: 'member', token, sees: own },
      { name: 'admin', token: testBed.token, sees: { workspaces, reports } },
    ];
    return { testBed, url: testBed.url, callers };
  } catch (error) {
    await testBed.close();
    throw error;
  }
}

/** Retries when the service sheds load. */
async function withRetries(url: URL, token: string): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const body = await response.text();
    if (response.ok) return response;
    if (response.status !== 503 || tries === 10) throw new Error(`${url.href}: ${response.status} ${body}`);
    await sleep(1000);
  }
}

/** Pages through a list to its last full page. */
async function lastPage(
  { url }: TestBed,
  { token, sees }: Caller,
  { list, limit }: (typeof lists)[number],
): Promise<string> {
  let next = new URL(`/api/${list}`, url);
  for (let before = sees[list] - limit; before > 0;) {
    const step = Math.min(before, 1000);
    next.searchParams.set('limit', String(step));
    const response = await withRetries(next, token);
    const [, link] = /^<([^>]*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? [];
    if (link === undefined) throw new Error(`${next.href} has nothing behind it`);
    next = new URL(link, url);
    before -= step;
  }
  next.searchParams.set('limit', String(limit));
  return `${next.pathname}${next.search}`;
}

/** A failure must not discard the other measurements. */
const ask = ({ url }: Organization, { token }: Caller, path: string): Promise<Figures> =>
  load({ url, requests: [requestAs({ token }, path)], connections, seconds: period, mayFail: true });

interface Page {
  work: string;
  /** Key of the caller. */
  index: number;
  /** Its path, by the size of the organization. */
  paths: ReadonlyMap<number, string>;
}

async function pageOf(
  organizations: Map<number, Organization>,
  work: string,
  index: number,
  pathOf: (organization: Organization, caller: Caller) => string | Promise<string>,
): Promise<Page> {
  const paths = new Map<number, string>();
  for (const [size, organization] of organizations) {
    paths.set(size, await pathOf(organization, organization.callers[index] as Caller));
  }
  return { work, index, paths };
}

async function pagesOf(organizations: Map<number, Organization>): Promise<Page[]> {
  const pages: Page[] = [];
  for (const [index, who] of ['member', 'admin'].entries()) {
    for (const list of lists) {
      const named = (page: string): string => `${list.list}, ${list.limit}, ${page} page: ${who}`;
      const first = () => `/api/${list.list}?limit=${list.limit}`;
      const last = ({ testBed }: Organization, caller: Caller) => lastPage(testBed, caller, list);
      pages.push(await pageOf(organizations, named('first'), index, first));
      pages.push(await pageOf(organizations, named('last'), index, last));
    }
  }
  return pages;
}

/** Measures the same page of every organization in turn. */
async function measurePage(
  organizations: Map<number, Organization>,
  { work, index, paths }: Page,
): Promise<Row> {
  const targets: Record<string, () => Promise<Figures>> = {};
  for (const [size, organization] of organizations) {
    const again = () => ask(organization, organization.callers[index] as Caller, paths.get(size) ?? '');
    targets[`${size} reports, p50 ms`] = again;
    await again();
  }
  const found = Object.entries(await measureInTurn(targets, (measure) => measure()));
  const medians = found.map(([, { p50_ms, failed }]) => (failed.most > 0 ? Infinity : p50_ms.median));
  return row({
    work,
    figures: Object.fromEntries(found.map(([name, { p50_ms }]) => [name, p50_ms])),
    ratio: Math.max(...medians) / (medians[0] ?? Number.NaN),
    goal: { atMost: 1.3, unit: '× smallest' },
  });
}

async function measureSearch(organization: Organization, caller: Caller, size: number) {
  const targets = Object.fromEntries(
    searches.map(([kind, q]) => [kind, `/api/reports?limit=100&q=${encodeURIComponent(q)}`]),
  );
  const search = (path: string) => ask(organization, caller, path);
  for (const path of Object.values(targets)) await search(path);
  const found = await measureInTurn(targets, search);
  return Object.entries(found).map(([kind, { p50_ms, p99_ms, failed }]) =>
    row({
      work: `search of ${size} reports, ${kind}: ${caller.name}`,
      figures: { 'p99 ms': p99_ms, 'p50 ms': p50_ms, failed: failed.most },
      value: failed.most > 0 ? Infinity : p99_ms.median,
      goal: { atMost: 100, unit: 'ms' },
    }),
  );
}

async function measureGrowth(): Promise<Row[]> {
  const organizations = new Map<number, Organization>();
  try {
    for (const size of sizes) {
      console.error(`   filling ${size} reports`);
      organizations.set(size, await organizationOf(size));
    }
    const [largest = 0, organization] = [...organizations].at(-1) ?? [];
    if (organization === undefined) return [];
    const rows: Row[] = [];
    for (const page of await pagesOf(organizations)) rows.push(await measurePage(organizations, page));
    for (const caller of organization.callers)
      rows.push(...(await measureSearch(organization, caller, largest)));
    return rows;
  } finally {
    for (const { testBed } of organizations.values()) await testBed.close();
  }
}

printRows([...(await measureGrowth()), ...(await measureGroups())]);
