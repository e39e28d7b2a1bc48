// What the service does all day, beside the least that the same work costs in Node (floor.ts).
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bed, makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { askJson } from './parts.js';
import { asked, makePeople, type Person } from './people.js';
import { giveToPowerBi } from './power-bi-rows.js';
import { inTurn, seconds } from './rounds.js';
import { type Row, row, tell } from './rows.js';
import { type Ask, load } from './wrk.js';
import { startYardstick } from './yardstick.js';

const connections = 32;
const WARM_UP_SECONDS = Math.min(seconds, 3);

const visible = `workspace_id IN (SELECT workspace_id FROM memberships
  WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > now()))`;

const reportColumns = `id, name, description, workspace_id, pbi_report_id, pbi_dataset_id, report_type, web_url, updated_at`;

const oneReport = `SELECT ${reportColumns} FROM reports WHERE retired_at IS NULL AND ${visible} AND id = $2`;

interface Work {
  name: string;
  asks: Ask[];
  /** What the floor runs for it, the caller's id being `$1`, and under which name it answers the rows. */
  statement: { text: string; values: unknown[]; list: string | null };
  floor: 'floor' | 'heldFloor';
  goal: { atLeast: number; aim: number };
  /** Times the floor's p99. */
  slowest?: number;
}

const reportsList = {
  text: `SELECT ${reportColumns} FROM reports WHERE retired_at IS NULL AND ${visible} ORDER BY name_key, id LIMIT 101`,
  values: [],
  list: 'reports',
};
const workspacesList = {
  text: `SELECT id, name, pbi_workspace_id, report_count FROM workspaces
         WHERE retired_at IS NULL AND ${visible.replace('workspace_id IN', 'id IN')}
         ORDER BY name_key, id LIMIT 26`,
  values: [],
  list: 'workspaces',
};

/** One person, except for embed tokens: who is handed one is written down, and a row of one person would be waited for. */
async function worksOf({ url }: Bed, people: readonly Person[], reportId: string): Promise<Work[]> {
  const [member] = people as [Person];
  const [workspacesPath, reportPath] = ['/api/workspaces?limit=25', `/api/reports/${reportId}`];
  const workspaces = asked(member, workspacesPath);
  const etag = (await fetch(`${url}${workspacesPath}`, { headers: workspaces.headers })).headers.get('etag');
  const unchanged = { ...workspaces, headers: { ...workspaces.headers, 'If-None-Match': etag ?? '' } };
  const report = { text: oneReport, values: [reportId], list: null };
  const plain = { floor: 'floor', goal: { atLeast: 0.6, aim: 0.8 } } as const;
  return [
    { ...plain, name: 'workspaces, 25', asks: [workspaces], statement: workspacesList, slowest: 2 },
    {
      ...plain,
      name: 'workspaces, 25, unchanged',
      asks: [unchanged],
      statement: workspacesList,
      goal: { atLeast: 0.7, aim: 0.9 },
    },
    {
      ...plain,
      name: 'reports, 100',
      asks: [asked(member, '/api/reports?limit=100')],
      statement: reportsList,
    },
    { ...plain, name: 'one report', asks: [asked(member, reportPath)], statement: report },
    {
      name: 'embed token, reused',
      asks: people.map((person) => asked(person, `${reportPath}/embed-token`, 'POST')),
      statement: report,
      floor: 'heldFloor',
      goal: { atLeast: 0.5, aim: 0.7 },
    },
  ];
}

/** Each on the core that the service is on; the bare ones, without the database, for the first work only. */
async function startYardsticks(
  bed: Bed,
  work: Work,
  isFirst: boolean,
): Promise<Record<'floor' | 'echo', string> & Record<string, string>> {
  const [statementFile, bodyFile] = [join(bed.folder, 'statement.json'), join(bed.folder, 'body.json')];
  const [ask] = work.asks as [Ask];
  const body = await fetch(`${bed.url}${ask.path}`, {
    method: ask.method,
    headers: { Authorization: ask.headers?.Authorization ?? '' },
  });
  writeFileSync(statementFile, JSON.stringify({ name: 'floor', ...work.statement }));
  writeFileSync(bodyFile, await body.text());
  const files = { STATEMENT_FILE: statementFile, BODY_FILE: bodyFile };
  const started = (name: string) => startYardstick(bed, name, files, ask.headers);
  return {
    floor: await started(work.floor),
    echo: await started('echoFloor'),
    ...(isFirst && { express: await started('expressConstant'), node: await started('constant') }),
  };
}

async function measure(bed: Bed, work: Work, isFirst: boolean): Promise<Row[]> {
  const targets = { vitrine: bed.url, ...(await startYardsticks(bed, work, isFirst)) };
  const ask = (url: string, period: number) => load({ url, asks: work.asks, connections, seconds: period });
  for (const url of Object.values(targets)) await ask(url, WARM_UP_SECONDS);
  const { vitrine, floor, ...others } = await inTurn(targets, (url) => ask(url, seconds));
  const rates = Object.entries({ vitrine, floor, ...others }).map(([name, { per_second }]) => [
    `${name}, a second`,
    per_second,
  ]);
  const rows = [
    row({
      work: work.name,
      figures: Object.fromEntries(rates),
      ratio: vitrine.per_second.median / floor.per_second.median,
      goal: { ...work.goal, unit: '× floor' },
    }),
  ];
  const slow = { 'vitrine, p99 ms': vitrine.p99_ms, 'floor, p99 ms': floor.p99_ms };
  const ratio = vitrine.p99_ms.median / floor.p99_ms.median;
  const { slowest } = work;
  const goal = slowest === undefined ? {} : { goal: { atMost: slowest, unit: '× floor' } };
  return [...rows, row({ work: `${work.name}: p99`, figures: slow, ratio, ...goal })];
}

const bed = await makeBed();
try {
  await fillCatalogue(bed.database, { workspaces: 1000, reportsEach: 100 });
  const people = await makePeople(bed, connections);
  for (const { id } of people) await grantSome(bed.database, id, 50);
  const { reports } = await askJson<{ reports: { id: string; workspace_id: string }[] }>(
    `${bed.url}/api/reports?limit=1`,
    people[0]?.token,
  );
  const [report] = reports as [{ id: string; workspace_id: string }];
  await giveToPowerBi(bed, [report.workspace_id]);
  const rows: Row[] = [];
  for (const [index, work] of (await worksOf(bed, people, report.id)).entries()) {
    rows.push(...(await measure(bed, work, index === 0)));
  }
  tell(rows);
} finally {
  await bed.close();
}
