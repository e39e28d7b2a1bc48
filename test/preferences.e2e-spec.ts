import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { User } from '../src/users/user.entity.js';
import type { Client } from './support/client.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

interface Profile {
  name: string;
  locale: string | null;
  time_zone: string | null;
}

const path = '/api/users/me';

let service: Service;
let ada: User;
let api: Client;

beforeAll(async () => {
  service = await startService({ DEFAULT_LOCALE: 'de' });
  ada = await service.factory.user({ name: 'Ada' });
  api = await service.as(ada);
});
afterAll(() => service.close());

describe('PATCH /api/users/me', () => {
  test('200: language and time zone, null by default and again', async () => {
    expect((await api.get(path)).body).toMatchObject({ locale: null, time_zone: null });
    const changed = await api.patch<Profile>(path, { locale: 'de', time_zone: 'Europe/Berlin' });
    expect(changed).toMatchObject({ status: 200, body: { locale: 'de', time_zone: 'Europe/Berlin' } });
    expect((await api.patch<Profile>(path, { name: 'Ada L.' })).body).toMatchObject({
      name: 'Ada L.',
      locale: 'de',
      time_zone: 'Europe/Berlin',
    });
    const reset = await api.patch(path, { locale: null, time_zone: null });
    expect(reset.body).toMatchObject({ locale: null, time_zone: null });
    expect((await api.get(path)).body).toMatchObject({ name: 'Ada L.', locale: null, time_zone: null });
  });

  test.each([
    ['locale', { locale: 'fr' }],
    ['locale', { locale: 'DE' }],
    ['locale', { locale: ['de'] }],
    ['time_zone', { time_zone: 'Berlin' }],
    ['time_zone', { time_zone: 'Europe/Nowhere' }],
    ['time_zone', { time_zone: '+01:00' }],
    ['time_zone', { time_zone: 1 }],
    ['name', { name: ' ' }],
    ['name', { name: null }],
    ['role', { role: 'admin' }],
    ['email', { email: 'eve@example.com' }],
  ])('400: names the field %s of %j', async (field, body) => {
    const response = await api.patch(path, body);
    expect(response.status).toBe(400);
    expect(JSON.stringify(response.body)).toContain(field);
  });

  test('is recorded, and reset when the person is erased', async () => {
    const user = await service.factory.user();
    await (await service.as(user)).patch(path, { locale: 'de', time_zone: 'Europe/Berlin' });
    const admin = await service.asAdmin();
    const { body } = await admin.get<{ audit_events: { details: object }[] }>(
      `/api/audit-events?action=user_changed&actor_id=${user.id}`,
    );
    expect(body.audit_events[0]?.details).toEqual({ changed: ['locale', 'time_zone'] });
    await admin.patch(`/api/users/${user.id}`, { status: 'disabled' });
    expect((await admin.post(`/api/users/${user.id}/erase`)).status).toBe(204);
    const [row] = await service.database.query('SELECT locale, time_zone FROM users WHERE id = $1', [
      user.id,
    ]);
    expect(row).toEqual({ locale: null, time_zone: null });
  });
});

describe('the language of mails', () => {
  const change = { current_password: password, new_password: 'quite another long password' };

  test('is that of the recipient, with times in the time zone of the recipient', async () => {
    const user = await service.factory.user({ name: 'Grace' });
    const client = await service.as(user);
    await client.patch(path, { locale: 'en', time_zone: 'America/New_York' });
    await client.put('/api/users/me/password', change);
    const { subject, text, html } = await service.mailbox.mailTo(user.email);
    expect(subject).toBe('Your password was changed');
    expect(text?.replaceAll('\u200A', '')).toMatch(/on \d{1,2} \w+ \d{4}, \d\d:\d\d GMT-[45]\./);
    expect(html).toContain('<html lang="en">');
  });

  test('is DEFAULT_LOCALE for a recipient without a preference', async () => {
    const user = await service.factory.user({ name: 'Hedy' });
    await (await service.as(user)).put('/api/users/me/password', change);
    const { subject, text, html } = await service.mailbox.mailTo(user.email);
    expect(subject).toBe('Ihr Passwort wurde geändert');
    expect(text?.replaceAll('\u200A', '')).toMatch(/am \d{1,2}\. \S+ \d{4}, \d\d:\d\d UTC geändert/);
    expect(html).toContain('<html lang="de">');
  });

  test('is DEFAULT_LOCALE in an invitation, which names the inviter and the workspace', async () => {
    const { factory } = service;
    const mona = await factory.admin({ name: 'Mona' });
    const sales = await factory.workspace({ name: 'Sales' });
    const revenue = await factory.report(await factory.workspace(), { name: 'Revenue' });
    const email = 'new@example.com';
    const { status } = await (
      await service.as(mona)
    ).post('/api/users/invite', {
      email,
      workspaces: [{ workspace_id: sales.id, role: 'viewer' }],
      reports: [{ report_id: revenue.id, role: 'viewer' }],
    });
    expect(status).toBe(201);
    expect((await service.mailbox.mailTo(email)).subject).toBe(
      'Mona hat Sie zu Sales und Revenue in Vitrine eingeladen',
    );
  });
});
