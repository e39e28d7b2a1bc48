import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../local/free-port.js';
import { type Bed, makeBed } from './bed.js';
import { fillCatalogue, grantSome } from './catalogue-rows.js';
import { type Figures, load } from './wrk.js';
import { admin, askJson } from './parts.js';
import { medians } from './rounds.js';

const connections = 32;
const seconds = Number(process.env.BENCH_SECONDS ?? 5);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);

const visible = `workspace_id IN (SELECT workspace_id FROM memberships
  WHERE user_id = $1 AND (expires_at IS NULL OR expires_at > now()))`;

const reportColumns = `id, name, description, workspace_id, pbi_report_id, pbi_dataset_id, report_type, web_url, updated_at`;

interface Work {
  name: string;
  path: string;
  method?: string;
  /** What the floor runs for it, and under which name it answers the rows. */
  statement: { text: string; values: unknown[]; list: string | null };
  headers?: Record<string, string>;
}

/** A member of 50 of 1,000 workspaces with 100 reports each. */
async function signInMember({ database, url }: Bed): Promise<{ id: string; token: string }> {
  const email = 'member@vitrine.example';
  const { rows } = await database.query<{ id: string }>(
    `INSERT INTO users (id, email, name, role, status, password_hash, attributes, created_at)
     SELECT gen_random_uuid(), $1, 'Member', 'member', 'active', password_hash, '{}', now()
     FROM users WHERE email = $2 RETURNING id`,
    [email, admin.email],
  );
  const id = rows[0]?.id ?? '';
  await grantSome(database, id, 50);
  const credentials = { email, password: admin.password };
  const { access_token } = await askJson<{ access_token: string }>(
    `${url}/api/auth/token`,
    undefined,
    'POST',
    credentials,
  );
  return { id, token: access_token };
}

async function worksOf(bed: Bed, member: { id: string; token: string }): Promise<Work[]> {
  const workspacesPath = '/api/workspaces?limit=25';
  const workspaces = {
    text: `SELECT id, name, pbi_workspace_id, report_count FROM workspaces
           WHERE retired_at IS NULL AND ${visible.replace('workspace_id IN', 'id IN')}
           ORDER BY name_key, id LIMIT 26`,
    values: [member.id],
    list: 'workspaces',
  };
  const answer = await fetch(`${bed.url}${workspacesPath}`, {
    headers: { authorization: `Bearer ${member.token}` },
  });
  const { reports } = await askJson<{ reports: { id: string }[] }>(
    `${bed.url}/api/reports?limit=1`,
    member.token,
  );
  const reportId = reports[0]?.id ?? '';
  return [
    { name: 'workspaces, 25', path: workspacesPath, statement: workspaces },
    {
      name: 'workspaces, 25, unchanged',
      path: workspacesPath,
      statement: workspaces,
      headers: { 'If-None-Match': answer.headers.get('etag') ?? '' },
    },
    {
      name: 'reports, 100',
      path: '/api/reports?limit=100',
      statement: {
        text: `SELECT ${reportColumns} FROM reports WHERE retired_at IS NULL AND ${visible}
               ORDER BY name_key, id LIMIT 101`,
        values: [member.id],
        list: 'reports',
      },
    },
    {
      name: 'one report',
      path: `/api/reports/${reportId}`,
      statement: {
        text: `SELECT ${reportColumns} FROM reports WHERE retired_at IS NULL AND ${visible} AND id = $2`,
        values: [member.id, reportId],
        list: null,
      },
    },
  ];
}

const wanted = process.argv.slice(2);
const bed = await makeBed();
try {
  await fillCatalogue(bed.database, { workspaces: 1000, reportsEach: 100 });
  const member = await signInMember(bed);
  const figures = [];
  for (const [index, work] of (await worksOf(bed, member)).entries()) {
    if (wanted.length > 0 && !wanted.includes(work.name)) continue;
    const statementFile = join(bed.folder, `statement-${index}.json`);
    const bodyFile = join(bed.folder, `body-${index}.json`);
    writeFileSync(statementFile, JSON.stringify({ name: `floor ${index}`, ...work.statement }));
    writeFileSync(bodyFile, JSON.stringify(await askJson(`${bed.url}${work.path}`, member.token)));
    const shared = { JWT_KEYS_FILE: bed.jwtKeysFile, STATEMENT_FILE: statementFile, BODY_FILE: bodyFile };
    const yardstick = async (name: string): Promise<string> => {
      const port = await freePort();
      bed.start('bench/floor.js', {
        ...shared,
        YARDSTICK: name,
        PORT: String(port),
        DATABASE_URL: bed.databaseUrl,
      });
      return `http://127.0.0.1:${port}/`;
    };
    const targets: Record<string, string> = {
      vitrine: `${bed.url}${work.path}`,
      floor: await yardstick('floor'),
      echo: await yardstick('echoFloor'),
      ...(index === 0 && {
        express: await yardstick('expressConstant'),
        node: await yardstick('constant'),
      }),
    };
    await sleep(500);
    const headers = { Authorization: `Bearer ${member.token}`, ...work.headers };
    const ask = (url: string, period: number): Promise<Figures> =>
      load({ url, headers, connections, seconds: period });
    for (const url of Object.values(targets)) await ask(url, 3);
    const runs = await medians(targets, rounds, (url) => ask(url, seconds));
    const failed = Object.values(runs).reduce((sum, { failed: some }) => sum + some, 0);
    if (failed > 0) throw new Error(`${work.name}: ${failed} requests failed`);
    figures.push({ work: work.name, ...runs });
    const { vitrine, floor } = runs;
    if (vitrine === undefined || floor === undefined) throw new Error('Nothing was measured');
    console.error(
      `${work.name}: ${Math.round(vitrine.per_second)}/s, ${(vitrine.per_second / floor.per_second).toFixed(2)} × floor`,
    );
  }
  console.log(JSON.stringify(figures));
} finally {
  await bed.close();
}
