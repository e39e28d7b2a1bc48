import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Client } from '../support/client.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { UserErasureService } from '../../src/accounts/user-erasure.service.js';
import { ScimErasureService } from '../../src/accounts/scim/users/scim-erasure.service.js';
import type { Service } from '../support/service.js';
import { UserNotDisabled } from '../../src/users/users.errors.js';
import { until } from '../support/until.js';
import { patchOf, startScim } from './scim-service.js';

const DAY = 86_400;

let service: Service;
let admin: Client;
let replica: InProcessReplica;
let idp: Client;

beforeAll(async () => {
  ({ service, admin, scim: idp } = await startScim());
  replica = await startInProcessReplica(service);
});
afterAll(async () => {
  await replica.close();
  await service.close();
});

describe('a person whom the provider disables', () => {
  test.each([
    [
      'PATCH',
      (id: string) =>
        idp.patch(`/scim/v2/Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' })),
    ],
    [
      'PUT',
      async (id: string) => {
        const { body } = await idp.get(`/scim/v2/Users/${id}`);
        return idp.put(`/scim/v2/Users/${id}`, { ...body, active: false });
      },
    ],
    ['DELETE', (id: string) => idp.delete(`/scim/v2/Users/${id}`)],
  ])('%s: sessions end at once, on another replica too', async (_, disable) => {
    const person = await service.factory.user();
    const there = replica.as(await service.as(person));
    const workspace = await service.factory.workspace();
    await service.factory.grant(person, workspace);
    const report = await service.factory.report(workspace);
    const embed = () => there.post(`/api/reports/${report.id}/embed-token`);
    expect((await there.get('/api/users/me')).status).toBe(200);
    expect((await embed()).status).not.toBe(401);
    // The cached principal does not expire: only the notification can end it.
    await service.clock.frozen(async () => {
      expect((await there.get('/api/users/me')).status).toBe(200);
      expect((await disable(person.id)).status).toBeLessThan(300);
      await until(async () => (await there.get('/api/users/me')).status === 401);
      expect((await embed()).status).toBe(401);
    });
    const [row] = await service.database.query(
      'SELECT count(*)::int AS open FROM sessions WHERE user_id = $1 AND ended_at IS NULL',
      [person.id],
    );
    expect(row).toEqual({ open: 0 });
  });
});

test('another change of a disabled person leaves the invitation of an admin valid', async () => {
  const person = await service.factory.user({ status: 'disabled' });
  const invited = await admin.post('/api/users/invite', { email: person.email, role: 'admin' });
  expect(invited.status).toBe(201);
  const secret = await until(async () => {
    const { text = '' } = (await service.mailbox.mailTo(person.email)) ?? {};
    return /#token=([\w-]+)/.exec(text)?.[1];
  });
  const rename = patchOf({ op: 'replace', path: 'displayName', value: 'Renamed' });
  expect((await idp.patch(`/scim/v2/Users/${person.id}`, rename)).status).toBe(200);
  const body = { grant_type: 'invitation', invitation_token: secret, password: 'six blue otters on ice' };
  expect((await service.api.post('/api/auth/token', body)).status).toBe(200);
});

describe('erasure', () => {
  const erase = () => service.app.get(ScimErasureService).erase();
  const stateOf = async (id: string): Promise<{ email: string; erased: boolean }> => {
    const [row] = await service.database.query<{ email: string; erased: boolean }[]>(
      'SELECT email, removed_at IS NOT NULL AS erased FROM users WHERE id = $1',
      [id],
    );
    return row!;
  };

  test('30 days after DELETE, but not of a person who is active again or only disabled', async () => {
    const [deleted, enabled, disabled] = [
      await service.factory.user(),
      await service.factory.user(),
      await service.factory.user({ status: 'disabled' }),
    ];
    for (const { id } of [deleted, enabled]) await idp.delete(`/scim/v2/Users/${id}`);
    await admin.patch(`/api/users/${enabled.id}`, { status: 'active' });
    service.clock.advance(29 * DAY);
    await erase();
    expect((await stateOf(deleted.id)).erased).toBe(false);
    service.clock.advance(2 * DAY);
    await erase();
    expect(await stateOf(deleted.id)).toEqual({ email: `${deleted.id}@erased.invalid`, erased: true });
    expect((await stateOf(enabled.id)).erased).toBe(false);
    expect((await stateOf(disabled.id)).erased).toBe(false);
  });

  test('not of a person whom SCIM created again meanwhile, as disabled', async () => {
    const person = await service.factory.user();
    await idp.delete(`/scim/v2/Users/${person.id}`);
    const before = service.clock.in(1);
    const { body } = await idp.post<{ id: string }>('/scim/v2/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: person.email,
      active: false,
    });
    expect(body.id).toBe(person.id);
    const erasure = service.app.get(UserErasureService);
    await expect(erasure.erase({ id: null }, person.id, before)).rejects.toThrow(UserNotDisabled);
    expect((await stateOf(person.id)).erased).toBe(false);
  });

  test('an erasure that fails does not block later ones', async () => {
    const [first, second] = [await service.factory.user(), await service.factory.user()];
    for (const { id } of [first, second]) {
      await idp.delete(`/scim/v2/Users/${id}`);
      service.clock.advance(1);
    }
    service.clock.advance(31 * DAY);
    const erasure = service.app.get(UserErasureService);
    const original = erasure.erase.bind(erasure);
    const failing = jest.spyOn(erasure, 'erase').mockImplementation(async (caller, id) => {
      if (id === first.id) throw new Error('the erasure fails');
      await original(caller, id);
    });
    await erase();
    expect((await stateOf(first.id)).erased).toBe(false);
    expect((await stateOf(second.id)).erased).toBe(true);
    failing.mockRestore();
    await erase();
    expect((await stateOf(first.id)).erased).toBe(true);
  });

  test('SCIM_ERASE_AFTER_DAYS=0: never', async () => {
    const never = await startScim({ SCIM_ERASE_AFTER_DAYS: '0' });
    try {
      const person = await never.service.factory.user();
      await never.scim.delete(`/scim/v2/Users/${person.id}`);
      never.service.clock.advance(4000 * DAY);
      await never.service.app.get(ScimErasureService).erase();
      const [row] = await never.service.database.query('SELECT removed_at FROM users WHERE id = $1', [
        person.id,
      ]);
      expect(row).toEqual({ removed_at: null });
    } finally {
      await never.service.close();
    }
  });
});
