import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { scimClient } from '../scim/scim-client.js';
import type { ApiResponse, Client } from '../support/client.js';
import { startChange } from '../support/row-lock.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService({ REQUEST_DEADLINE_SECONDS: '60' });
  admin = await service.asAdmin();
});
afterAll(() => service.close());

/** Sends the request while the change is not committed, and commits it when the request waits for it. */
async function during(
  [sql, ...values]: [sql: string, ...values: unknown[]],
  request: () => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const { waiting, commit } = await startChange(service.databaseUrl, sql, values);
  let hasEnded = false;
  const response = request().finally(() => (hasEnded = true));
  // What needs no lock of the changed row ends.
  await until(async () => hasEnded || (await waiting()) > 0);
  await commit();
  return response;
}

describe('AZ-13 check and use are one', () => {
  test.each([
    ['a demotion', `role = 'member'`, { role: 'admin' }],
    ['a disabling', `status = 'disabled'`, { status: 'active' }],
  ])('%s is not undone by a request of its person that was under way', async (_, change, undo) => {
    const { factory } = service;
    const demoted = await factory.admin();
    const own = await service.as(demoted);
    const response = await during([`UPDATE users SET ${change} WHERE id = $1`, demoted.id], () =>
      own.patch(`/api/users/${demoted.id}`, undo),
    );
    expect(response).toMatchObject({ status: 403, body: { code: 'access_denied' } });
    const { body } = await admin.get(`/api/users/${demoted.id}`);
    expect(body).not.toMatchObject(undo);
  });

  test('of two admins who demote each other, one stays', async () => {
    const { factory } = service;
    const [ada, ben] = [await factory.admin(), await factory.admin()];
    const response = await during([`UPDATE users SET role = 'member' WHERE id = $1`, ada.id], async () =>
      (await service.as(ada)).patch(`/api/users/${ben.id}`, { role: 'member' }),
    );
    expect(response.status).toBe(403);
    expect((await admin.get(`/api/users/${ben.id}`)).body).toMatchObject({ role: 'admin' });
  });
});

describe('a grant', () => {
  test('404: to a user who is being erased, as to an unknown one', async () => {
    const workspace = await service.factory.workspace();
    const erased = await service.factory.user();
    const response = await during(
      [
        `WITH locked AS (SELECT id FROM users WHERE id = $1 FOR UPDATE)
         UPDATE users SET status = 'disabled', removed_at = now() WHERE id IN (SELECT id FROM locked)`,
        erased.id,
      ],
      () => admin.put(`/api/workspaces/${workspace.id}/grants/users/${erased.id}`, { role: 'viewer' }),
    );
    expect(response).toMatchObject({ status: 404, body: { code: 'user_not_found' } });
    const { body } = await admin.get(`/api/workspaces/${workspace.id}/grants`);
    expect(body).toMatchObject({ grants: [] });
  });

  test('that a group gets while SCIM deletes it is recorded as removed', async () => {
    const scim = await scimClient(service);
    const workspace = await service.factory.workspace();
    const { body: group } = await scim.post<{ id: string }>('/scim/v2/Groups', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'],
      displayName: 'Short-lived',
      externalId: 'short-lived',
    });
    const response = await during(
      [
        `INSERT INTO grants (group_id, workspace_id, source, role, created_at) VALUES ($1, $2, 'manual', 'viewer', now())`,
        group.id,
        workspace.id,
      ],
      () => scim.delete(`/scim/v2/Groups/${group.id}`),
    );
    expect(response.status).toBe(204);
    const { body } = await admin.get<{ audit_events: object[] }>(
      `/api/audit-events?action=grant_removed&target_id=${group.id}`,
    );
    expect(body.audit_events).toHaveLength(1);
  });
});
