// The lists, the viewers, the review and the members of groups in an organization with 100,000 people in 20 groups each.
import { openSessions, requestAs } from './bench-users.js';
import { groupCallers } from './group-callers.js';
import { measureReview } from './group-review.js';
import { fillGroups, groupSizes } from './group-rows.js';
import { fetchJson, milliseconds } from './parts.js';
import { measureInTurn, seconds, setting } from './rounds.js';
import { percentile, type Row, row } from './rows.js';
import { startTestBed, type TestBed } from './test-bed.js';
import { type Figures, load, type RequestSpec } from './wrk.js';

/** A tenth is a trial run. */
const people = setting('BENCH_PEOPLE', 100_000);
const CALLERS = 2000;
const period = Math.min(seconds, 2);
const MAX_MS = 50;

/** Each measurement begins with other requests than the one before. */
function rotating({ url }: TestBed, requests: readonly RequestSpec[], connections: number) {
  let next = 0;
  return async (): Promise<Figures> => {
    const turned = [...requests.slice(next), ...requests.slice(0, next)];
    const found = await load({ url, requests: turned, connections, seconds: period, mayFail: true });
    next = (next + Math.ceil(found.per_second * period)) % requests.length;
    return found;
  };
}

async function measure<Name extends string>(targets: Record<Name, () => Promise<Figures>>) {
  for (const target of Object.values<() => Promise<Figures>>(targets)) await target();
  return measureInTurn(targets, (target) => target());
}

type Measured = Awaited<ReturnType<typeof measure>>[string];

const timesOf = ({ p50_ms, p99_ms, failed }: Measured) => ({
  'p99 ms': p99_ms,
  'p50 ms': p50_ms,
  failed: failed.most,
});

const rowOf = (work: string, found: Measured, atMost = MAX_MS): Row =>
  row({
    work,
    figures: timesOf(found),
    value: found.failed.most > 0 ? Infinity : found.p99_ms.median,
    goal: { atMost, unit: 'ms' },
  });

const pages = {
  'reports by name, 25': '/api/reports?limit=25',
  'reports by updated_at, 25': '/api/reports?limit=25&sort=-updated_at',
  'workspaces, 25': '/api/workspaces?limit=25',
};

/** Pages of distinct people, compared with people who see the same without groups. */
async function measurePages(testBed: TestBed): Promise<Row[]> {
  const callers = await groupCallers(testBed, Math.min(CALLERS, people / 10));
  const rows: Row[] = [];
  for (const [work, path] of Object.entries(pages)) {
    const asked = (name: keyof typeof callers) =>
      rotating(
        testBed,
        callers[name].map((user) => requestAs(user, path)),
        4,
      );
    const found = await measure({
      'with groups': asked('with groups'),
      'without groups': asked('without groups'),
    });
    const { 'with groups': own, 'without groups': reference } = found;
    rows.push(
      rowOf(`${work}, with groups`, own, work.startsWith('workspaces') ? 100 : MAX_MS),
      row({
        work: `${work}, with and without groups`,
        figures: { 'p50 ms': own.p50_ms, 'p50 ms without groups': reference.p50_ms },
        ratio: own.p50_ms.median / reference.p50_ms.median,
        goal: { atMost: 1.3, unit: '× without groups' },
      }),
    );
  }
  return rows;
}

const idsBy = async ({ database }: TestBed, text: string): Promise<string[]> =>
  (await database.query<{ id: string }>(text)).rows.map(({ id }) => id);

const largestGroup = 'SELECT group_id AS id FROM group_members_all GROUP BY 1 ORDER BY count(*) DESC LIMIT 1';

/** What admins and managers look up, one request at a time. */
async function measureLookups(testBed: TestBed): Promise<Row[]> {
  const some = `ORDER BY md5(id::text) LIMIT 500`;
  const reports = await idsBy(testBed, `SELECT id FROM reports ${some}`);
  const large = await idsBy(
    testBed,
    `SELECT report_id AS id FROM grants WHERE report_id IS NOT NULL AND group_id = (${largestGroup}) AND expires_at IS NULL
     UNION SELECT reports.id FROM reports JOIN grants USING (workspace_id)
     WHERE report_id IS NULL AND group_id = (${largestGroup}) AND expires_at IS NULL`,
  );
  const asAdmin = (paths: readonly string[]) => paths.map((path) => requestAs(testBed, path));
  const viewers = (ids: readonly string[], limit: number) =>
    asAdmin(ids.map((id) => `/api/reports/${id}/viewers?limit=${limit}`));
  const lookups: [work: string, requests: RequestSpec[], atMost?: number][] = [
    ['viewers of a report, 25', viewers(reports, 25)],
    ['viewers of a report, 1,000', viewers(reports, 1000)],
    ['viewers of a report of half of the people, 25', viewers(large, 25)],
    ['viewers of a report of half of the people, 1,000', viewers(large, 1000)],
    ['groups, 25', asAdmin(['/api/groups?limit=25']), 100],
    ['groups, 1,000', asAdmin(['/api/groups?limit=1000']), 100],
  ];
  const rows: Row[] = [];
  for (const [work, requests, atMost] of lookups) {
    const found = await measure({ it: rotating(testBed, requests, 1) });
    rows.push(rowOf(work, found.it, atMost));
  }
  return rows;
}

/** Whom the managers of a workspace can grant access to. */
async function measureCandidates(testBed: TestBed): Promise<Row[]> {
  const { rows: managers } = await testBed.database.query<{ id: string; email: string; workspace: string }>(
    `SELECT DISTINCT ON (md5(email), email) users.id, email, workspace_id AS workspace
     FROM grants JOIN users ON users.id = user_id
     WHERE grants.role = 'manager' AND expires_at IS NULL AND status = 'active' AND users.role = 'member'
     ORDER BY md5(email), email LIMIT ${CALLERS / 4}`,
  );
  const users = await openSessions(testBed, managers);
  const rows: Row[] = [];
  for (const [kind, q] of Object.entries({ 'without a term': '', 'by a part of a name': '0012' })) {
    const pathOf = (index: number) => `/api/workspaces/${managers[index]?.workspace}/candidates?q=${q}`;
    const byManager = users.map((user, index) => requestAs(user, pathOf(index)));
    const byAdmin = users.map((_, index) => requestAs(testBed, pathOf(index)));
    const found = await measure({
      manager: rotating(testBed, byManager, 1),
      admin: rotating(testBed, byAdmin, 1),
    });
    for (const [who, times] of Object.entries(found))
      rows.push(rowOf(`candidates ${kind}: ${who}`, times, 100));
  }
  return rows;
}

/** One person after the other is added to the largest group, and removed. */
async function measureMembers(testBed: TestBed): Promise<Row[]> {
  const [group] = await idsBy(testBed, largestGroup);
  const others = await idsBy(
    testBed,
    `SELECT id FROM users WHERE email LIKE 'person%'
     AND id NOT IN (SELECT user_id FROM group_members_all WHERE group_id = (${largestGroup})) ORDER BY md5(email) LIMIT 50`,
  );
  const rows: Row[] = [];
  for (const [work, method] of Object.entries({ added: 'PUT', removed: 'DELETE' })) {
    const times: number[] = [];
    for (const id of others) {
      const url = `${testBed.url}/api/groups/${group}/members/users/${id}`;
      times.push(await milliseconds(async () => void (await fetchJson(url, testBed.token, method))));
    }
    rows.push(
      row({
        work: `a person is ${work}, group of half of the people`,
        figures: { 'p50 ms': percentile(times, 0.5), 'most ms': Math.max(...times) },
        value: Math.max(...times),
        goal: { atMost: MAX_MS, unit: 'ms' },
      }),
    );
  }
  return rows;
}

export async function measureGroups(): Promise<Row[]> {
  const testBed = await startTestBed();
  try {
    console.error(`   filling groups of ${people} people`);
    await fillGroups(testBed.database, groupSizes(people));
    return await measureOrganization(testBed);
  } finally {
    await testBed.close();
  }
}

export async function measureOrganization(testBed: TestBed): Promise<Row[]> {
  const parts = [measurePages, measureLookups, measureCandidates, measureMembers, measureReview];
  const rows: Row[] = [];
  for (const part of parts) rows.push(...(await part(testBed)));
  return rows;
}
