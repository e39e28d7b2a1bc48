import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEventDto } from '../src/audit-trail/dto/audit-event.dto.js';
import type { Client } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;
let admin: Client;
let adminId: string;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0' });
  const user = await service.factory.admin();
  adminId = user.id;
  admin = await service.as(user);
});
afterAll(() => service.close());

describe('the target of an invitation event', () => {
  const invite = async (email: string): Promise<string> =>
    (await admin.post<{ id: string }>('/api/users/invite', { email })).body.id;
  const namesOf = async (invitation: string) => {
    const path = `/api/audit-events?target_type=invitation&target_id=${invitation}`;
    const { body } = await admin.get<{ audit_events: AuditEventDto[] }>(path);
    return body.audit_events.map(({ action, target }) => `${action} ${target?.name ?? null}`).toSorted();
  };

  test('has the address of the invitee as its name', async () => {
    const id = await invite('named@example.com');
    await admin.delete(`/api/invitations/${id}`);
    expect(await namesOf(id)).toEqual([
      'invitation_created named@example.com',
      'invitation_revoked named@example.com',
    ]);
  });

  test('has no name once the invitee is erased', async () => {
    const id = await invite('unnamed@example.com');
    const user = await service.factory.user({ email: 'unnamed@example.com' });
    expect(await namesOf(id)).toEqual(['invitation_created unnamed@example.com']);
    await admin.patch(`/api/users/${user.id}`, { status: 'disabled' });
    expect((await admin.post(`/api/users/${user.id}/erase`)).status).toBe(204);
    expect(await namesOf(id)).toEqual(['invitation_created null']);
  });
});

describe('POST /api/users/:id/erase', () => {
  test('204: no personal data remains, and the audit trail is unchanged', async () => {
    const { factory, database } = service;
    const eva = await factory.user({ email: 'eva.erased@example.com', name: 'Eva Erased' });
    await service.as(eva);
    await factory.grant(eva, await factory.workspace());
    await admin.patch(`/api/users/${eva.id}`, { status: 'disabled' });
    const trail = () =>
      database.query<object[]>('SELECT * FROM audit_events WHERE actor_id = $1 ORDER BY at, id', [eva.id]);
    const before = await trail();
    expect((await admin.post(`/api/users/${eva.id}/erase`)).status).toBe(204);
    expect(await trail()).toEqual(before);
    const { body } = await admin.get<{ audit_events: AuditEventDto[] }>(
      `/api/audit-events?actor_id=${eva.id}`,
    );
    expect(body.audit_events[0]?.actor).toEqual({
      type: 'user',
      id: eva.id,
      name: null,
      email: null,
      removed: true,
    });
    const tables = await database.query<{ name: string }[]>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    );
    for (const { name } of tables) {
      const rows = await database.query<object[]>(
        `SELECT FROM "${name}" AS t WHERE t::text ~* 'eva.erased|Eva Erased'`,
      );
      expect({ name, rows: rows.length }).toEqual({ name, rows: 0 });
    }
    expect((await admin.get(`/api/users/${eva.id}`)).status).toBe(404);
    expect((await admin.patch(`/api/users/${eva.id}`, { status: 'active' })).status).toBe(404);
  });

  test('201: the address can be invited again as a new user', async () => {
    const { factory } = service;
    const first = await factory.user({ email: 'again@example.com', status: 'disabled' });
    await admin.post(`/api/users/${first.id}/erase`);
    const response = await admin.post('/api/users/invite', { email: 'again@example.com' });
    expect(response.status).toBe(201);
  });

  test('403 and 404: admins only, existing users only', async () => {
    const { factory } = service;
    const person = await factory.user({ status: 'disabled' });
    const member = await service.as(await factory.user());
    expect((await member.post(`/api/users/${person.id}/erase`)).status).toBe(403);
    const machine = await admin.post<{ id: string }>('/api/service-accounts', { name: 'x' });
    expect((await admin.post(`/api/users/${machine.body.id}/erase`)).status).toBe(404);
    await admin.post(`/api/users/${person.id}/erase`);
    expect((await admin.post(`/api/users/${person.id}/erase`)).status).toBe(404);
  });

  test('409: an active user, therefore never the last admin', async () => {
    const response = await admin.post(`/api/users/${adminId}/erase`);
    expect(response.status).toBe(409);
    expect(response.body.code).toBe('user_not_disabled');
  });
});
