import type { Client as Connection } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { SessionCleanupService } from '../../src/auth/sessions/session-cleanup.service.js';
import { UsageRetentionService } from '../../src/usage/usage-retention.service.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import type { Service } from '../support/service.js';
import { type Plan, planNodes, type Statements } from '../support/statements.js';
import { isFull } from '../support/test-size.js';
import { addressesOf, fillLists, lists, type ManyRows, startLists } from './many-rows.js';

const ROWS = isFull ? 1_000_000 : 5000;
const FILL_TIMEOUT_MS = isFull ? 1_800_000 : 300_000;

let at: Awaited<ReturnType<typeof startLists>>;
let statements: Statements;
let service: Service;
let admin: Client;
let explaining: Connection;
let many: ManyRows;

beforeAll(async () => {
  at = await startLists();
  ({ statements, service, admin, explaining } = at);
  many = await fillLists(service.factory, explaining, ROWS);
  await explaining.query('VACUUM ANALYZE');
}, FILL_TIMEOUT_MS);
afterAll(() => at.close());

describe(`every list responds with one page at ${ROWS.toLocaleString('en')} rows`, () => {
  test.each(lists)('%s', async (path) => {
    for (const url of addressesOf(path, many)) {
      const { status, body } = await admin.get(url);
      expect([url, status]).toEqual([url, 200]);
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

  test('audit events of a target, with an outcome and from an address', async () => {
    const ofTarget = await indexesFor(`/api/audit-events?target_id=${many.person}&limit=10`);
    expect(ofTarget.some((name) => name.includes('target_id_at'))).toBe(true);
    const denied = await indexesFor('/api/audit-events?outcome=failed&limit=10');
    expect(denied.some((name) => name.includes('outcome_at'))).toBe(true);
    const from = await indexesFor('/api/audit-events?ip=203.0.113.7&limit=10');
    expect(from.some((name) => name.includes('_ip_at'))).toBe(true);
  });

  test.each(['/api/users?q=4912', '/api/search?q=4912', `/api/candidates?q=4912`])(
    'people by a part of the name or address: %s',
    async (path) => {
      const found = await indexesFor(
        path.replace('/api/candidates', `/api/workspaces/${many.workspace.id}/candidates`),
      );
      expect(found).toEqual(expect.arrayContaining(['users_name_key_trgm_idx', 'users_email_trgm_idx']));
    },
  );

  test('revocations of an embed token: of the user, the report and the workspace', async () => {
    // Power BI does not have the report; the rights are read before it is asked.
    const nodes = await nodesWhile(() => admin.post(`/api/reports/${many.report.id}/embed-token`));
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
    expect(indexesOf(sessions)).toEqual(
      expect.arrayContaining(['sessions_over_at_idx', 'sessions_client_expires_at_idx']),
    );
    const limits = await nodesWhile(() => service.app.get(UsageRetentionService).maintain());
    expect(indexesOf(limits)).toContain('usage_tokens_hour_at_idx');
  });
});
