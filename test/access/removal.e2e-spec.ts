import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { AccessReviewService } from '../../src/access/review/access-review.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { ApiResponse, Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

/** A row that is removed between two pages of a list hides no other row. */

let service: Service;
let admin: Client;
let sales: Workspace;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  admin = await service.asAdmin();
  sales = await service.factory.workspace({ name: 'Sales' });
});
afterAll(() => service.close());

/** The ids of all pages; `removeAfter` runs with the ids of the first page after it was read. */
async function idsOf(first: string, field: string, removeAfter: (ids: string[]) => Promise<unknown>) {
  const ids: string[] = [];
  for (let next: string | undefined = first; next !== undefined;) {
    const response: ApiResponse = await admin.get(next);
    expect(response.status).toBe(200);
    const rows = response.body[field] as { id?: string; user_id?: string }[];
    if (ids.length === 0) await removeAfter(rows.map(({ id, user_id }) => id ?? user_id ?? ''));
    ids.push(...rows.map(({ id, user_id }) => id ?? user_id ?? ''));
    next = /<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1];
  }
  return ids;
}

test('groups', async () => {
  const groups = [];
  for (let count = 0; count < 6; count += 1)
    groups.push(await service.factory.group({ name: `Team ${count}` }));
  const ids = await idsOf('/api/groups?q=team&limit=2', 'groups', ([id]) =>
    admin.delete(`/api/groups/${id}`),
  );
  expect(ids).toEqual(groups.map(({ id }) => id));
});

test('viewers of a report', async () => {
  const report = await service.factory.report(sales);
  const people: User[] = [];
  for (let count = 0; count < 6; count += 1) {
    const person = await service.factory.user({ name: `Viewer ${count}` });
    people.push(person);
    await service.factory.grant(person, sales);
  }
  const ids = await idsOf(`/api/reports/${report.id}/viewers?q=viewer&limit=2`, 'viewers', ([id]) =>
    admin.delete(`/api/workspaces/${sales.id}/members/${id}`),
  );
  expect(ids).toEqual(people.map(({ id }) => id));
});

test('an access review of a person with several pages', async () => {
  const many = await service.factory.user();
  const large = await service.factory.workspace({ name: 'Large' });
  for (let count = 0; count < 600; count += 1)
    await service.factory.report(large, { name: `Report ${count}` });
  await service.database.query(
    `INSERT INTO grants (report_id, workspace_id, name_key, user_id, source, role, created_at)
     SELECT id, workspace_id, '', $2, 'manual', 'viewer', now() FROM reports WHERE workspace_id = $1`,
    [large.id, many.id],
  );
  const read = new Set<string>();
  let removed = 0;
  for await (const rows of service.app.get(AccessReviewService).rows({ userId: many.id })) {
    for (const { resource } of rows) read.add(resource.id ?? '');
    if (removed > 0 || rows.length === 0) continue;
    removed = rows.length;
    await service.database.query('DELETE FROM grants WHERE report_id = ANY($1)', [
      rows.map(({ resource }) => resource.id),
    ]);
  }
  expect(removed).toBeGreaterThan(1);
  expect(read.size).toBe(600);
});
