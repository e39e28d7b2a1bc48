// A new embed token compared with the bare call to Power BI that it requires.
import { type TestBed, startTestBed } from './test-bed.js';
import { fillCatalogue, grantWorkspaces } from './catalogue-rows.js';
import { powerBiToken } from './parts.js';
import { createUsers, type BenchUser } from './bench-users.js';
import { copyToPowerBi, setPowerBi } from './power-bi-rows.js';
import { measureInTurn, rounds } from './rounds.js';
import { percentile, row, printRows } from './rows.js';

const LATENCY_MS = 150;
const CONCURRENCY = 4;
/** Requests per round. */
const REQUESTS = 100;
const REPORTS = 50;
/** The first requests after a start are slower, while their code is compiled. */
const WARM_UP = 1000;

interface ReportRow {
  id: string;
  pbi_report_id: string;
  pbi_dataset_id: string;
  workspace_id: string;
}

async function post(url: string, token: string, body?: object): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  await response.arrayBuffer();
}

/** Sends the requests with the given concurrency. */
async function measureRequests(requests: (() => Promise<void>)[]) {
  const times: number[] = [];
  const left = requests.values();
  const caller = async (): Promise<void> => {
    for (const ask of left) {
      const began = performance.now();
      await ask();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, caller));
  return { p50_ms: percentile(times, 0.5), p95_ms: percentile(times, 0.95) };
}

/** Each pair of user and report once. */
function* pairs(users: BenchUser[], reports: ReportRow[]): Generator<[BenchUser, ReportRow], undefined> {
  for (const user of users) for (const report of reports) yield [user, report];
}

async function fill(testBed: TestBed): Promise<{ users: BenchUser[]; reports: ReportRow[] }> {
  await fillCatalogue(testBed.database, { workspaces: 50, reportsEach: REPORTS });
  const users = await createUsers(testBed, Math.ceil(((rounds + 1) * REQUESTS + WARM_UP) / REPORTS));
  for (const { id } of users) await grantWorkspaces(testBed.database, id, 50);
  const { rows: reports } = await testBed.database.query<ReportRow>(
    `SELECT id, pbi_report_id, pbi_dataset_id, workspace_id FROM reports ORDER BY id LIMIT ${REPORTS}`,
  );
  await copyToPowerBi(testBed, [...new Set(reports.map(({ workspace_id }) => workspace_id))]);
  return { users, reports };
}

const testBed = await startTestBed();
try {
  const { users, reports } = await fill(testBed);
  const token = await powerBiToken(testBed.emulatorUrl);
  const left = pairs(users, reports);
  const some = (count: number) =>
    Array.from({ length: count }, () => left.next().value as [BenchUser, ReportRow]);
  const vitrine = (count = REQUESTS) =>
    some(count).map(
      ([user, { id }]) =>
        () =>
          post(`${testBed.url}/api/reports/${id}/embed-token`, user.token),
    );
  const powerBi = () =>
    Array.from({ length: REQUESTS }, (_, index) => {
      const { pbi_report_id, pbi_dataset_id } = reports[index % REPORTS] as ReportRow;
      const body = { reports: [{ id: pbi_report_id }], datasets: [{ id: pbi_dataset_id }] };
      return () => post(`${testBed.emulatorUrl}/v1.0/myorg/GenerateToken`, token, body);
    });
  await setPowerBi(testBed, { latency_ms: LATENCY_MS });
  const first = await measureRequests(vitrine());
  await setPowerBi(testBed, { latency_ms: 0 });
  await measureRequests(vitrine(WARM_UP));
  await setPowerBi(testBed, { latency_ms: LATENCY_MS });
  const found = await measureInTurn({ vitrine, powerBi }, (requests) => measureRequests(requests()));
  const added = found.vitrine.p95_ms.median - found.powerBi.p95_ms.median;
  printRows([
    row({
      work: `embed token, new, Power BI at ${LATENCY_MS} ms: p95`,
      figures: {
        'vitrine, p95 ms': found.vitrine.p95_ms,
        'Power BI alone, p95 ms': found.powerBi.p95_ms,
        'vitrine, p50 ms': found.vitrine.p50_ms,
        'Power BI alone, p50 ms': found.powerBi.p50_ms,
        'added, ms': added,
        'first ones after the start, p95 ms': first.p95_ms,
      },
      value: added,
      goal: { atMost: 20, aim: 8, unit: 'ms more than Power BI' },
    }),
  ]);
} finally {
  await testBed.close();
}
