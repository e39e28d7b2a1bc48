import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execute } from '../src/core/database/execute.js';
import type { Group } from '../src/access/groups/group.entity.js';
import type { Report } from '../src/reports/report.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;
let sales: Workspace;
let revenue: Report;
let team: Group;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
  sales = await service.factory.workspace({ name: 'Sales' });
  revenue = await service.factory.report(sales);
  team = await service.factory.group();
  await service.waitForJobs();
});
afterAll(() => service.close());

/** Every row that an invitation or a grant could leave. */
const left = async (): Promise<unknown> => {
  const tables = [
    'invitations',
    'invitation_grants',
    'invitation_report_grants',
    'invitation_groups',
    'grants',
    'audit_events',
    'pgboss.job',
    'change_epochs',
  ];
  const counts = tables.map((name) => `(SELECT count(*) FROM ${name}) AS "${name}"`);
  const epochs = '(SELECT sum(epoch) FROM change_epochs) AS epochs';
  const [row] = await service.database.query(`SELECT ${[...counts, epochs].join(', ')}`);
  return row;
};

describe('DUR-08: a change is committed completely or not at all', () => {
  // Each is one of the writes of the operation, from the first to the last.
  test.each([
    'invitations',
    'invitation_grants',
    'invitation_report_grants',
    'invitation_groups',
    'pgboss.job',
    'audit_events',
  ])('an invitation whose row in %s cannot be written is rolled back', async (table) => {
    const before = await left();
    await breaking(table, async () => {
      const workspaces = [{ workspace_id: sales.id, role: 'viewer' }];
      const reports = [{ report_id: revenue.id, role: 'viewer' }];
      const body = { email: 'ada@example.com', workspaces, reports, groups: [team.id] };
      const { status } = await admin.post('/api/users/invite', body);
      expect(status).toBe(500);
    });
    expect(await left()).toEqual(before);
  });

  test.each(['grants', 'audit_events', 'change_epochs'])(
    'a grant whose row in %s cannot be written is rolled back',
    async (table) => {
      const ada = await service.factory.user();
      const before = await left();
      await breaking(table, async () => {
        const path = `/api/workspaces/${sales.id}/members/${ada.id}`;
        expect((await admin.put(path, { role: 'viewer' })).status).toBe(500);
      });
      expect(await left()).toEqual(before);
    },
  );
});

/** While the work goes on, every row that comes into the table is refused. */
async function breaking(table: string, work: () => Promise<void>): Promise<void> {
  await service.database.query(`
    CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION refuse()`);
  try {
    await work();
  } finally {
    await service.database.query(`DROP TRIGGER refuse ON ${table}`);
  }
}

test('a transaction that was ended early sends nothing more to its connection, which another request may have', async () => {
  const runner = service.database.createQueryRunner();
  await runner.startTransaction();
  const { rows } = await execute(runner.manager, 'SELECT 1 AS one', []);
  expect(rows).toEqual([{ one: 1 }]);
  await runner.rollbackTransaction();
  await runner.release();
  await expect(execute(runner.manager, 'SELECT 1', [])).rejects.toThrow('released');
});
