import { Client as Connection } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Group } from '../../src/access/groups/group.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import { SessionCleanupService } from '../../src/auth/sessions/session-cleanup.service.js';
import { UsageRetentionService } from '../../src/usage/usage-retention.service.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { operations } from '../support/openapi-operations.js';
import { type Service, startService } from '../support/service.js';
import { type Plan, planNodes, Statements } from '../support/statements.js';
import { isFull } from '../support/test-size.js';

const ROWS = isFull ? 1_000_000 : 5000;
const FILL_TIMEOUT_MS = isFull ? 1_800_000 : 300_000;
const rows = `generate_series(1, ${ROWS}) n`;

let statements: Statements;
let service: Service;
let admin: Client;
let explaining: Connection;
let group: Group;
let outer: Group;
let workspace: Workspace;
let report: Report;
let person: string;

/** `$1` to `$3` are the ids of the group, the workspace and the report. */
const fill = [
  `INSERT INTO users (id, email, name, role, status, created_at)
   SELECT gen_random_uuid(), n || '@many.example', 'Person ' || n, 'member', 'active', now() FROM ${rows}`,
  `INSERT INTO group_edges (group_id, user_id, source, created_at)
   SELECT $1, id, 'manual', now() FROM users WHERE email LIKE '%@many.example'`,
  `INSERT INTO grants (user_id, workspace_id, source, role, created_at)
   SELECT id, $2, 'manual', 'viewer', now() FROM users WHERE email LIKE '%@many.example'`,
  `INSERT INTO grants (user_id, report_id, source, role, created_at)
   SELECT id, $3, 'manual', 'viewer', now() FROM users WHERE email LIKE '%@many.example'`,
  `INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, data_as_of, updated_at)
   SELECT gen_random_uuid(), $2, gen_random_uuid(), 'Report ' || n, 'PowerBIReport', 'https://127.0.0.1/', now(), now()
   FROM ${rows}`,
  `INSERT INTO groups (id, name, source, created_at)
   SELECT gen_random_uuid(), 'Team ' || n, 'manual', now() FROM ${rows} WHERE n % 10 = 0`,
  `INSERT INTO audit_events (id, at, action, outcome, target_type, target_id)
   SELECT gen_random_uuid(), now() - n * interval '1 second', 'signed_in',
     CASE WHEN n % 1000 = 0 THEN 'denied' ELSE 'allowed' END, 'user', gen_random_uuid() FROM ${rows}`,
  `INSERT INTO embed_revocations (id, user_id, report_id, workspace_id, revoked_by, revoked_at)
   SELECT gen_random_uuid(), CASE n % 3 WHEN 0 THEN gen_random_uuid() END, CASE n % 3 WHEN 1 THEN gen_random_uuid() END,
     CASE n % 3 WHEN 2 THEN gen_random_uuid() END, gen_random_uuid(), now() FROM ${rows}`,
  `INSERT INTO usage_tokens (grant_id, minute_at, events, hour_at, views)
   SELECT gen_random_uuid(), now(), 1, now(), 1 FROM ${rows}`,
  `INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at, expires_at)
   SELECT gen_random_uuid(), id, 'password', '\\x00', 0, '192.0.2.1', '', now(), now(), now(), now() + interval '7 days'
   FROM users WHERE email LIKE '%@many.example'`,
];

beforeAll(async () => {
  statements = new Statements();
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const { factory, environment } = service;
  admin = await service.asAdmin();
  explaining = new Connection({
    connectionString: environment.DATABASE_DIRECT_URL ?? environment.DATABASE_URL,
  });
  await explaining.connect();
  await explaining.query('SET statement_timeout = 0');
  group = await factory.group({ name: 'Everyone' });
  outer = await factory.group({ name: 'Outer' }, [group]);
  workspace = await factory.workspace();
  report = await factory.report(workspace);
  const values = [group.id, workspace.id, report.id];
  for (const text of fill) {
    const used = values.filter((_, index) => text.includes(`$${index + 1}`));
    await explaining.query(used.length === 0 ? text : text.replace(/\$[1-3]/, '$1'), used);
  }
  await explaining.query('VACUUM ANALYZE');
  const found = await explaining.query<{ id: string }>(`SELECT id FROM users WHERE email = '1@many.example'`);
  person = found.rows[0]?.id ?? '';
}, FILL_TIMEOUT_MS);
afterAll(async () => {
  statements.close();
  await explaining.end();
  await service.close();
});

const isPaged = ({ method, parameters = [] }: (typeof operations)[number]): boolean =>
  method === 'GET' && parameters.some(({ name }) => name === 'limit');
/** A webhook, whose deliveries end after some days, does not exist here. */
const lists = operations
  .filter(isPaged)
  .map(({ path }) => path)
  .filter((path) => !path.includes('webhooks/{id}'));

describe(`every list responds with one page at ${ROWS.toLocaleString('en')} rows`, () => {
  const idIn = (path: string): string => {
    if (path.includes('/groups/{id}')) return outer.id;
    if (path.includes('/workspaces/{id}')) return workspace.id;
    return path.includes('/reports/{id}') ? report.id : person;
  };

  test.each(lists)('%s', async (path) => {
    const url = path.replace('{id}', idIn(path));
    const queries = path === '/api/search' ? ['?q=4912', '?q=person'] : ['', '?effective=true', '?q=4912'];
    const parameters = operations.find((each) => each.path === path && isPaged(each))?.parameters ?? [];
    const isKnown = (query: string) =>
      query === '' || parameters.some(({ name }) => query.startsWith(`?${name}=`));
    for (const query of queries.filter(isKnown)) {
      const { status, body } = await admin.get(`${url}${query}`);
      expect([query, status]).toEqual([query, 200]);
      const lengths = Object.values(body).map((items) => (Array.isArray(items) ? items.length : 0));
      expect(Math.max(...lengths)).toBeLessThan(1001);
    }
  });
});

describe('the number of statements does not depend on the number of rows', () => {
  /** Statements of the work on groups, grants and the audit trail; others run in the background. */
  const statementsOf = async (work: () => Promise<unknown>): Promise<number> => {
    const sent = await statements.during(work);
    const isMeant = /group_edges|group_closure|\b(effective_)?grants\b|audit_events|FROM groups/;
    return sent.filter(({ text }) => isMeant.test(text)).length;
  };
  const times = <T>(count: number, make: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, make));
  const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

  test('of people and groups that join a group', async () => {
    const join = async (count: number) => {
      const group = await service.factory.group();
      const users = ids(await times(count, () => service.factory.user()));
      const groups = ids(await times(count, () => service.factory.group()));
      const add = () => admin.post(`/api/groups/${group.id}/members`, { users, groups });
      return statementsOf(async () => expect((await add()).status).toBe(204));
    };
    expect(await join(40)).toBe(await join(2));
  });

  test('of the groups of a person, with the groups between', async () => {
    const read = async (count: number) => {
      const user = await service.factory.user();
      await times(count, async () => service.factory.group({}, [await service.factory.group({}, [user])]));
      const list = () => admin.get<{ groups: unknown[] }>(`/api/users/${user.id}/groups`);
      return statementsOf(async () => expect((await list()).body.groups).toHaveLength(2 * count));
    };
    expect(await read(40)).toBe(await read(2));
  });

  test('of what an invitation confers', async () => {
    const accept = async (count: number) => {
      const workspaces = (await times(count, () => service.factory.workspace())).map(({ id }) => ({
        workspace_id: id,
        role: 'viewer',
      }));
      const groups = ids(await times(count, () => service.factory.group()));
      const email = `invited-${count}@vitrine.example`;
      const invited = await admin.post('/api/users/invite', { email, workspaces, groups });
      expect(invited.status).toBe(201);
      const body = {
        grant_type: 'invitation',
        invitation_token: await service.mailbox.secretFor(email),
        password,
      };
      return statementsOf(async () =>
        expect((await service.api.post('/api/auth/token', body)).status).toBe(200),
      );
    };
    expect(await accept(20)).toBe(await accept(2));
  });
});

async function nodesWhile(work: () => Promise<unknown>): Promise<Plan[]> {
  return planNodes(explaining, await statements.during(work));
}

describe('an index is used for', () => {
  const indexesOf = (nodes: readonly Plan[]): string[] => nodes.flatMap((node) => node['Index Name'] ?? []);
  const indexesFor = async (path: string): Promise<string[]> =>
    indexesOf(await nodesWhile(async () => expect((await admin.get(path)).status).toBe(200)));

  test('audit events of a target and with an outcome', async () => {
    const ofTarget = await indexesFor(`/api/audit-events?target_id=${person}&limit=10`);
    expect(ofTarget.some((name) => name.includes('target_id_at'))).toBe(true);
    const denied = await indexesFor('/api/audit-events?outcome=failed&limit=10');
    expect(denied.some((name) => name.includes('outcome_at'))).toBe(true);
  });

  test.each(['/api/users?q=4912', '/api/search?q=4912', `/api/candidates?q=4912`])(
    'people by a part of the name or address: %s',
    async (path) => {
      const found = await indexesFor(
        path.replace('/api/candidates', `/api/workspaces/${workspace.id}/candidates`),
      );
      expect(found).toEqual(expect.arrayContaining(['users_name_key_trgm_idx', 'users_email_trgm_idx']));
    },
  );

  test('revocations of an embed token: of the user, the report and the workspace', async () => {
    // Power BI does not have the report; the rights are read before it is asked.
    const nodes = await nodesWhile(() => admin.post(`/api/reports/${report.id}/embed-token`));
    expect(indexesOf(nodes)).toEqual(
      expect.arrayContaining([
        'embed_revocations_user_id_idx',
        'embed_revocations_report_id_idx',
        'embed_revocations_workspace_id_idx',
      ]),
    );
  });

  test('the cleanup of sessions and of the limits of issued tokens', async () => {
    const sessions = await nodesWhile(() => service.app.get(SessionCleanupService).remove());
    expect(indexesOf(sessions)).toContain('sessions_over_at_idx');
    const limits = await nodesWhile(() => service.app.get(UsageRetentionService).maintain());
    expect(indexesOf(limits)).toContain('usage_tokens_hour_at_idx');
  });
});
