import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventOfAction } from '../../src/platform/audit/audit-actions.js';
import { eventOf } from '../../src/platform/audit/event-of-entry.js';
import { type EventType, eventTypeNames } from '../../src/events/outbox/event-types.js';
import { FreshnessService } from '../../src/reports/freshness/freshness.service.js';
import { dataSchemaOf } from '../../src/reference/event-webhooks.js';
import { type Exporting, startExporting } from '../exports/exporting.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { schemaErrors } from '../support/openapi-operations.js';
import { person, startSignIn } from '../support/sign-in.js';
import { setContent, syncOnce } from '../support/syncing.js';
import { until } from '../support/until.js';
import { type Receiver, refuse, startReceiver } from '../webhooks/receiver.js';

interface Row {
  type: EventType;
  subject: string;
  data: Record<string, unknown>;
}

let at: Exporting;
let receiver: Receiver;
let admin: Client;
const seen = new Map<EventType, Row[]>();

beforeAll(async () => {
  receiver = await startReceiver();
  at = await startExporting({ RATE_LIMIT_SIGN_IN_PER_IP: '0', WEBHOOK_ALLOWED_HOSTS: receiver.host });
  admin = await at.service.asAdmin();
});
afterAll(async () => {
  await at.service.close();
  await receiver.close();
});

function collect(rows: Row[]): void {
  for (const row of rows) seen.set(row.type, [...(seen.get(row.type) ?? []), row]);
}

const token = (body: object) => at.service.api.post<Record<string, string>>('/api/auth/token', body);

async function people(): Promise<void> {
  const { factory, mailbox, clock } = at.service;
  const ada = await factory.user({ email: 'ada@example.com', name: 'Ada Lovelace' });
  const first = (await token({ email: ada.email, password })).body;
  const refresh = (refresh_token?: string) => token({ grant_type: 'refresh_token', refresh_token });
  await refresh(first.refresh_token);
  clock.advance(31);
  await refresh(first.refresh_token);
  const api = await at.service.as(ada);
  const changed = `${password} new`;
  await api.put('/api/users/me/password', { current_password: password, new_password: changed });
  await token({ grant_type: 'password_reset_request', email: ada.email });
  const reset = async () => {
    const mails = mailbox.mails.map(String).filter((mail) => mail.includes('password-reset#token'));
    return mails.length > 0 && mailbox.secretFor(ada.email);
  };
  await until(reset);
  await until(async () => {
    const reset_token = await mailbox.secretFor(ada.email);
    return (await token({ grant_type: 'password_reset', reset_token, password })).status === 204;
  });
  await admin.get(`/api/users/${ada.id}/export`);
  await admin.patch(`/api/users/${ada.id}`, { role: 'admin' });
  await admin.patch(`/api/users/${ada.id}`, { status: 'disabled' });
  await admin.post(`/api/users/${ada.id}/erase`);
}

async function invitations(): Promise<void> {
  const email = 'ivy@example.com';
  const { id } = await at.workspace('Sales');
  const { body } = await admin.post<{ id: string }>('/api/users/invite', {
    email,
    workspaces: [{ workspace_id: id, role: 'viewer' }],
  });
  await admin.post('/api/users/invite', { email, workspaces: [{ workspace_id: id, role: 'editor' }] });
  at.service.clock.advance(61);
  admin = await at.service.asAdmin();
  await admin.post(`/api/invitations/${body.id}/resend`);
  const other = await admin.post<{ id: string }>('/api/users/invite', { email: 'no@example.com' });
  await admin.delete(`/api/invitations/${other.body.id}`);
  await until(async () => {
    const invitation_token = await at.service.mailbox.secretFor(email);
    return (await token({ grant_type: 'invitation', invitation_token, password })).status === 200;
  });
}

async function access(): Promise<void> {
  const { factory, as } = at.service;
  const sales = await at.workspace('Sales');
  const ben = await factory.user();
  const api = await as(ben);
  const decide = async (verb: string): Promise<void> => {
    await api.post('/api/access-requests', { workspace_id: sales.id });
    const path = '/api/access-requests?status=pending';
    const { body } = await admin.get<{ access_requests: { id: string }[] }>(path);
    const decision = verb === 'approve' ? { role: 'viewer' } : undefined;
    await admin.post(`/api/access-requests/${body.access_requests[0]?.id}/${verb}`, decision);
  };
  await decide('decline');
  await decide('approve');
  const member = `/api/workspaces/${sales.id}/members/${ben.id}`;
  await admin.put(member, { role: 'manager' });
  await admin.delete(member);
  const group = `/api/groups/${(await admin.post<{ id: string }>('/api/groups', { name: 'Secret group' })).body.id}`;
  await admin.patch(group, { name: 'Support' });
  await admin.put(`${group}/members/users/${ben.id}`);
  await admin.delete(`${group}/members/users/${ben.id}`);
  await admin.delete(group);
  const account = await admin.post<{ id: string; secrets: { id: string }[] }>('/api/service-accounts', {
    name: 'Nightly',
  });
  const path = `/api/service-accounts/${account.body.id}`;
  await admin.patch(path, { name: 'Daily' });
  await admin.post(`${path}/rotate`);
  await admin.post(`${path}/secrets`);
  const { body } = await admin.get<{ secrets: { id: string }[] }>(path);
  await admin.delete(`${path}/secrets/${body.secrets[0]?.id}`);
  await admin.delete(path);
  await admin.put('/api/settings/branding', { product_name: 'Contoso' });
}

async function reports(): Promise<void> {
  const revenue = await at.report('Revenue overview');
  const sales = await at.workspace('Sales');
  await at.embed(admin, revenue);
  const { client: editor, user } = await at.asRole('Sales', 'editor');
  const { body: revocation } = await admin.post<{ id: string }>('/api/embed-grants/revoke', {
    user_id: user.id,
    reason: 'Confidential reason',
  });
  await at.embed(editor, revenue);
  await at.request(editor, revenue);
  await admin.delete(`/api/embed-grants/revocations/${revocation.id}`);
  await admin.patch(`/api/workspaces/${sales.id}/settings`, { viewers_can_export: true });
  const views = `/api/reports/${revenue.id}/views`;
  const view = await editor.post<{ id: string }>(views, {
    name: 'Secret view',
    scope: 'shared',
    state: 'H4sIAAAAAAAA',
  });
  await editor.patch(`${views}/${view.body.id}`, { name: 'Secret view 2' });
  await editor.delete(`${views}/${view.body.id}`);
  await at.exported(editor, revenue);
  await at.settings({ job_seconds: 60 });
  const cancelled = (await at.request(editor, revenue)).body.id;
  await editor.delete(`/api/exports/${cancelled}`);
  await at.settings({ job_seconds: 0 });
  const label = { report_id: revenue.pbiReportId, label: 'Confidential' };
  await at.service.powerBi.post('/__emulator/labels', label);
  await at.reached(editor, (await at.request(editor, revenue)).body.id, 'status', 'failed');
  const { body } = await admin.get<{ datasets: { id: string }[] }>('/api/datasets');
  await admin.put(`/api/datasets/${body.datasets[0]?.id}/identity-policy`, { username: '{{email}}' });
}

async function catalogue(): Promise<void> {
  const { database, powerBi, app } = at.service;
  await database.query(
    `INSERT INTO usage_last_views SELECT id, $1 FROM reports WHERE name = 'Profit and loss'`,
    [at.service.clock.now()],
  );
  await app.get(FreshnessService).run();
  // The first check of a dataset does not tell when it failed.
  const previous = new Date(at.service.clock.now().getTime() - 23 * 3_600_000);
  await database.query('UPDATE dataset_refreshes SET (checked_at, next_at) = ($1, $1)', [previous]);
  await app.get(FreshnessService).run();
  const faults = '/__emulator/faults';
  await powerBi.post(faults, { path: '/groups$', status: 403 });
  expect((await syncOnce(admin)).status).toBe('failed');
  await powerBi.delete(faults);
  const sales = { name: 'Sales', datasets: [{ name: 'Sales' }] };
  await setContent(at.service, { workspaces: [{ ...sales, reports: [{ name: 'A' }, { name: 'B' }] }] });
  for (let n = 0; n < 3; n += 1) await syncOnce(admin);
  await setContent(at.service, { workspaces: [{ ...sales, reports: [{ name: 'A' }] }] });
  for (let n = 0; n < 3; n += 1) await syncOnce(admin);
}

async function webhooks(): Promise<void> {
  receiver.react(refuse(410));
  const { body } = await admin.post<{ id: string }>('/api/webhooks', { url: receiver.url });
  const path = `/api/webhooks/${body.id}`;
  await admin.post(`${path}/secrets`);
  await admin.patch(path, { types: ['group.created', 'webhook.secret_rolled'] });
  await admin.post(`${path}/secrets`);
  await until(async () => (await admin.get<{ status: string }>(path)).body.status === 'disabled');
  await admin.delete(path);
}

async function identities(): Promise<void> {
  const here = await startSignIn([person('ada')], { rules: [] });
  try {
    const owner = await here.service.asAdmin();
    const user = await here.service.factory.user();
    const path = `/api/users/${user.id}/identities`;
    const { body } = await owner.post<{ id: string }>(path, { subject: 'ada' });
    await owner.delete(`${path}/${body.id}`);
    collect(await here.service.database.query('SELECT type, subject, data FROM events'));
  } finally {
    await here.close();
  }
}

test('every type has a cause', () => {
  const derived = new Set<EventType | null>(Object.values(eventOfAction));
  const others = eventTypeNames.filter((type) => !derived.has(type));
  expect(others.toSorted()).toEqual([
    'refresh.failed',
    'report.retired',
    'sync.failed',
    'sync.finished',
    'workspace.retired',
  ]);
});

test('the data of an event contains only the fields of its type', () => {
  const event = eventOf({
    action: 'group_created',
    actorId: null,
    target: { type: 'group', id: 'x' },
    details: { name: 'Secret' },
  });
  expect(event?.data).toEqual({ actor_id: null, group_id: 'x' });
});

test.each([
  ['manual', null],
  ['provider', 'provider'],
])('the source of a change is an origin other than a person: %s', (source, expected) => {
  const target = { type: 'group', id: 'x' } as const;
  const event = eventOf({ action: 'group_member_added', actorId: 'z', target, details: { source } });
  expect(event?.data.source).toBe(expected);
});

test('a change of many members has their number, so that the payload stays small', () => {
  const details = { source: 'scim', member_type: 'user', members: 60, member_ids: ['a', 'b'] };
  const target = { type: 'group', id: 'x' } as const;
  const event = eventOf({ action: 'group_member_added', actorId: null, target, details });
  const expected = { actor_id: null, group_id: 'x', member_type: 'user', member_id: null, members: 60 };
  expect(event?.data).toEqual({ ...expected, source: 'scim' });
});

test('every type is emitted, with the data that the reference shows and without names', async () => {
  await people();
  await invitations();
  await access();
  await reports();
  await catalogue();
  await webhooks();
  await identities();
  collect(await at.service.database.query('SELECT type, subject, data FROM events'));
  expect([...seen.keys()].toSorted()).toEqual(eventTypeNames.toSorted());
  const wrong = [...seen].flatMap(([type, rows]) =>
    rows.map(({ data }) => [type, data, schemaErrors(dataSchemaOf(type), data)]),
  );
  expect(wrong.filter(([, , errors]) => errors !== null)).toEqual([]);
  expect(JSON.stringify([...seen])).not.toMatch(/@|Ada|Secret|Confidential|Nightly|Contoso/);
});
