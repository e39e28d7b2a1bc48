// An embed token that nobody has yet, beside the bare call that Power BI is asked by for it.
import { type Bed, makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { powerBiToken } from './parts.js';
import { makePeople, type Person } from './people.js';
import { giveToPowerBi, setPowerBi } from './power-bi-rows.js';
import { inTurn, rounds } from './rounds.js';
import { percentile, row, tell } from './rows.js';

const LATENCY_MS = 150;
const AT_ONCE = 4;
/** Of one round. */
const ASKS = 100;
const REPORTS = 50;
/** What one costs all day is not what the first ones after a start do, while their code is compiled. */
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

/** Each of these, so many at once. */
async function timed(asks: (() => Promise<void>)[]) {
  const times: number[] = [];
  const left = asks.values();
  const caller = async (): Promise<void> => {
    for (const ask of left) {
      const began = performance.now();
      await ask();
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
  return { p50_ms: percentile(times, 0.5), p95_ms: percentile(times, 0.95) };
}

/** Another person, or another report, each time. */
function* pairs(people: Person[], reports: ReportRow[]): Generator<[Person, ReportRow], undefined> {
  for (const person of people) for (const report of reports) yield [person, report];
}

async function fill(bed: Bed): Promise<{ people: Person[]; reports: ReportRow[] }> {
  await fillCatalogue(bed.database, { workspaces: 50, reportsEach: REPORTS });
  const people = await makePeople(bed, Math.ceil(((rounds + 1) * ASKS + WARM_UP) / REPORTS));
  for (const { id } of people) await grantSome(bed.database, id, 50);
  const { rows: reports } = await bed.database.query<ReportRow>(
    `SELECT id, pbi_report_id, pbi_dataset_id, workspace_id FROM reports ORDER BY id LIMIT ${REPORTS}`,
  );
  await giveToPowerBi(bed, [...new Set(reports.map(({ workspace_id }) => workspace_id))]);
  return { people, reports };
}

const bed = await makeBed();
try {
  const { people, reports } = await fill(bed);
  const token = await powerBiToken(bed.emulatorUrl);
  const left = pairs(people, reports);
  const some = (count: number) =>
    Array.from({ length: count }, () => left.next().value as [Person, ReportRow]);
  const vitrine = (count = ASKS) =>
    some(count).map(
      ([person, { id }]) =>
        () =>
          post(`${bed.url}/api/reports/${id}/embed-token`, person.token),
    );
  const powerBi = () =>
    Array.from({ length: ASKS }, (_, index) => {
      const { pbi_report_id, pbi_dataset_id } = reports[index % REPORTS] as ReportRow;
      const body = { reports: [{ id: pbi_report_id }], datasets: [{ id: pbi_dataset_id }] };
      return () => post(`${bed.emulatorUrl}/v1.0/myorg/GenerateToken`, token, body);
    });
  await setPowerBi(bed, { latency_ms: LATENCY_MS });
  const first = await timed(vitrine());
  await setPowerBi(bed, { latency_ms: 0 });
  await timed(vitrine(WARM_UP));
  await setPowerBi(bed, { latency_ms: LATENCY_MS });
  const found = await inTurn({ vitrine, powerBi }, (asks) => timed(asks()));
  const added = found.vitrine.p95_ms.median - found.powerBi.p95_ms.median;
  tell([
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
  await bed.close();
}
