import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { InvitationCleanupService } from '../../src/invitations/invitation-cleanup.service.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Invited {
  id: string;
  email: string;
  status: string;
}

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

async function invite(name: string): Promise<string> {
  const sales = await service.factory.workspace();
  const { body } = await admin.post<Invited>('/api/users/invite', {
    email: `${name}@example.com`,
    workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
  });
  return body.id;
}
const set = (id: string, column: string, days: number) =>
  service.database.query(`UPDATE invitations SET ${column} = $2 WHERE id = $1`, [
    id,
    service.clock.in(-days * 86_400),
  ]);

test('invitations that were not accepted are deleted 90 days after they expired or were revoked', async () => {
  await set(await invite('expired'), 'expires_at', 91);
  await set(await invite('expired-lately'), 'expires_at', 89);
  const revoked = await invite('revoked');
  await set(revoked, 'expires_at', 100);
  await set(revoked, 'revoked_at', 91);
  const revokedLately = await invite('revoked-lately');
  await set(revokedLately, 'expires_at', 100);
  await set(revokedLately, 'revoked_at', 89);
  const accepted = await invite('accepted');
  await set(accepted, 'expires_at', 100);
  await set(accepted, 'accepted_at', 101);
  await invite('pending');

  await service.app.get(InvitationCleanupService, { strict: false }).remove();
  const { body } = await admin.get<{ invitations: Invited[] }>('/api/invitations?sort=email');
  expect(body.invitations.map(({ email }) => email.replace('@example.com', ''))).toEqual([
    'accepted',
    'expired-lately',
    'pending',
    'revoked-lately',
  ]);
  expect((await admin.get(`/api/invitations/${revoked}`)).status).toBe(404);
  expect((await admin.post(`/api/invitations/${revoked}/resend`)).status).toBe(404);
  const trail = await admin.get<{ audit_events: object[] }>(
    '/api/audit-events?action=invitation_created&limit=100',
  );
  expect(trail).toMatchObject({ status: 200, body: { audit_events: { length: 6 } } });
});
