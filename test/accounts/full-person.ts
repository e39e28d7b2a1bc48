import { randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { behindProxy } from '../support/guessing.js';
import { Client as ApiClient } from '../support/client.js';
import { opening, send } from '../usage/usage-api.js';
import { type Exporting, startExporting } from '../exports/exporting.js';

export const startPersonal = (): Promise<Exporting> => startExporting(behindProxy);

/** Values that only this person has. */
export const eva = {
  email: 'eva.personal@example.com',
  name: 'Eva Personal',
  renamed: 'Eva Renamed',
  ip: '203.0.113.77',
  agent: 'Evas-Browser/7.7',
  attribute: 'evas-region',
  subject: 'evas-subject',
  reason: 'Eva needs it',
  view: 'Evas view',
};

type Invited = { id: string };

/** A person with rows in every section of the export, made through the API where it can make them. */
export async function fullPerson(at: Exporting, admin: Client): Promise<{ user: User; api: Client }> {
  const { service } = at;
  const [sales, report] = [await at.workspace('Sales'), await at.report('My region')];
  const from = { 'x-forwarded-for': eva.ip, 'user-agent': eva.agent };
  // An invitation, of which another admin has an idempotent response.
  await admin.post<Invited>(
    '/api/users/invite',
    { email: eva.email, name: eva.name, workspaces: [{ workspace_id: sales.id, role: 'manager' }] },
    { 'idempotency-key': randomUUID() },
  );
  const grant = { grant_type: 'invitation', password, name: eva.name };
  const accepted = await service.api.post<{ access_token: string }>(
    '/api/auth/token',
    { ...grant, invitation_token: await service.mailbox.secretFor(eva.email) },
    from,
  );
  const token = accepted.body.access_token;
  const api = new ApiClient(service.url, token);
  const as = (method: string, path: string, body?: unknown) =>
    api.send(method, path, { body, headers: from });
  const { id } = (await api.get<{ id: string }>('/api/users/me')).body;
  await as('PATCH', '/api/users/me', { name: eva.renamed, locale: 'de', time_zone: 'Europe/Berlin' });
  await admin.patch(`/api/users/${id}`, { attributes: { region: eva.attribute } });
  await admin.put(`/api/reports/${report.id}/grants/users/${id}`, { role: 'viewer' });
  const group = await admin.post<{ id: string }>('/api/groups', { name: 'Sales people' });
  await admin.put(`/api/groups/${group.body.id}/members/users/${id}`);
  // What the person does.
  await api.post(
    '/api/users/invite',
    {
      email: 'other.person@example.com',
      name: 'Other Person',
      workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
    },
    { 'idempotency-key': randomUUID() },
  );
  await as('PUT', `/api/reports/${report.id}/favourite`);
  for (const scope of ['private', 'shared'])
    await as('POST', `/api/reports/${report.id}/views`, {
      name: `${eva.view} ${scope}`,
      scope,
      state: 'H4sI',
    });
  await as('POST', '/api/access-requests', {
    workspace_id: (await at.workspace('Finance')).id,
    reason: eva.reason,
  });
  await at.policy(admin, 'Sales by region', { username: '{{email}}', roles: ['Europe'] });
  const embedded = await as('POST', `/api/reports/${report.id}/embed-token`);
  const now = service.clock.now();
  await send(api, opening({ token: embedded.body.token_id as string, at: now }));
  await at.request(api, report);
  await service.api.post('/api/auth/token', { grant_type: 'password_reset_request', email: eva.email }, from);
  await service.waitForJobs();
  await admin.post('/api/embed-grants/revoke', { user_id: id, workspace_id: sales.id, reason: eva.reason });
  // The identity provider writes these.
  await service.database.query(
    `INSERT INTO user_identities (id, user_id, iss, sub, email, provided_attributes, created_at)
     VALUES ($1, $2, 'https://idp.example', $3, $4, $5, now())`,
    [uuidv7(), id, eva.subject, eva.email, { region: eva.attribute }],
  );
  return { user: { id } as User, api };
}
