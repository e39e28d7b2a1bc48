import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newPerson, patchOf, type ScimService, type ScimUserBody, startScim } from './scim-service.js';

let running: ScimService;

beforeAll(async () => {
  running = await startScim();
});
afterAll(() => running.service.close());

/** With an object id in front of it, it is still an email address, of at most 64 characters before the `@`. */
const newAddress = (): string => `ada-${randomUUID().slice(-12)}@example.com`;
const workAddress = (value: string): object[] => [{ primary: true, type: 'work', value }];

const create = async (userName: string, emails?: object[]): Promise<ScimUserBody> => {
  const { status, body } = await running.scim.post<ScimUserBody>(
    '/scim/v2/Users',
    newPerson({ userName, emails }),
  );
  expect(status).toBe(201);
  return body;
};
const patch = ({ id }: { id: string }, ...operations: object[]) =>
  running.scim.patch<ScimUserBody>(`/scim/v2/Users/${id}`, patchOf(...operations));
const rename = (value: string) => ({ op: 'Replace', path: 'userName', value });
const setActive = (value: 'True' | 'False') => ({ op: 'Replace', path: 'active', value });
const makeAdmin = async ({ id }: { id: string }): Promise<void> => {
  expect((await running.admin.patch(`/api/users/${id}`, { role: 'admin' })).status).toBe(200);
};
const addressOf = async ({ id }: { id: string }): Promise<unknown> =>
  (await running.admin.get(`/api/users/${id}`)).body.email;

describe('a person whom Microsoft Entra ID deletes, which frees the user name', () => {
  test.each([
    ['admin', 'with an address', true],
    ['admin', 'with a user name only', false],
    ['member', 'with an address', true],
    ['member', 'with a user name only', false],
  ])('%s %s: is disabled, and has the address again when restored', async (role, _, hasEmail) => {
    const address = newAddress();
    const person = await create(address, hasEmail ? workAddress(address) : undefined);
    expect((await running.admin.patch(`/api/users/${person.id}`, { role })).status).toBe(200);
    const client = await running.service.as(person);
    expect((await client.get('/api/users/me')).status).toBe(200);

    const userName = `${randomUUID().replaceAll('-', '')}${address}`;
    const deleted = await patch(person, rename(userName), setActive('False'));
    expect(deleted).toMatchObject({ status: 200, body: { userName, active: false } });
    expect(await addressOf(person)).toBe(role === 'admin' ? address : userName);
    expect((await client.get('/api/users/me')).status).toBe(401);

    const restored = await patch(person, rename(address), setActive('True'));
    expect(restored).toMatchObject({ status: 200, body: { userName: address, active: true } });
    expect(restored.body.emails).toEqual([{ value: address, type: 'work', primary: true }]);
    await running.admin.patch(`/api/users/${person.id}`, { role: 'member' });
  });

  const isDeleted = (person: ScimUserBody, address: string) =>
    patch(person, rename(`${randomUUID().replaceAll('-', '')}${address}`), setActive('False'));
  const successor = (address: string) =>
    running.scim.post<ScimUserBody>(
      '/scim/v2/Users',
      newPerson({ userName: address, emails: workAddress(address) }),
    );

  test.each([
    ['while the person can be restored', false],
    ['after the final deletion', true],
  ])('leaves a successor without the access of the person: %s', async (_, isFinal) => {
    const { admin, service } = running;
    const address = newAddress();
    const person = await create(address, workAddress(address));
    const { id } = await service.factory.workspace({ name: 'Board' });
    await admin.put(`/api/workspaces/${id}/members/${person.id}`, { role: 'viewer' });
    const seenBy = async (user: ScimUserBody) => (await service.as(user)).get(`/api/workspaces/${id}`);
    expect((await seenBy(person)).status).toBe(200);
    await isDeleted(person, address);
    if (isFinal) await running.scim.delete(`/scim/v2/Users/${person.id}`);
    const { status, body } = await successor(address);
    expect([status, body.id === person.id]).toEqual([201, false]);
    expect((await seenBy(body)).status).toBe(404);
  });

  test('leaves nobody else the account of an admin', async () => {
    const address = newAddress();
    const boss = await create(address, workAddress(address));
    await makeAdmin(boss);
    await isDeleted(boss, address);
    await running.scim.delete(`/scim/v2/Users/${boss.id}`);
    expect(await successor(address)).toMatchObject({ status: 409, body: { scimType: 'uniqueness' } });
  });
});

test('an address that SCIM sends unchanged is no change in the audit trail', async () => {
  const address = newAddress();
  const person = await create(address);
  const eventsOf = async () =>
    (await running.admin.get(`/api/audit-events?target_id=${person.id}`)).body.audit_events as object[];
  const before = await eventsOf();
  await patch(person, { op: 'Add', path: 'emails[type eq "work"].value', value: address });
  expect(await eventsOf()).toEqual(before);
  expect((await patch(person, rename(newAddress()))).body.emails[0]?.value).toBe(address);
});

describe('another userName', () => {
  test('keeps an address that the provider sent', async () => {
    const address = newAddress();
    const created = await create(address, workAddress(address));
    const userName = newAddress();
    const { status, body } = await patch(created, rename(userName));
    expect({ status, userName: body.userName, address: body.emails[0]?.value }).toEqual({
      status: 200,
      userName,
      address,
    });
    const later = newAddress();
    const adopted = await create(later);
    await patch(adopted, { op: 'Add', path: 'emails[type eq "work"].value', value: later });
    expect((await patch(adopted, rename(newAddress()))).body.emails[0]?.value).toBe(later);
  });

  test('is the address of a person for whom the provider sends none', async () => {
    const created = await create(newAddress());
    const userName = newAddress();
    expect((await patch(created, rename(userName))).body.emails[0]?.value).toBe(userName);
    const next = newAddress();
    const { body } = await running.scim.put<ScimUserBody>(`/scim/v2/Users/${created.id}`, { userName: next });
    expect(body.emails[0]?.value).toBe(next);
  });

  test('of an admin keeps the address: a password reset would take the account over', async () => {
    const address = newAddress();
    const boss = await create(address);
    await makeAdmin(boss);
    const userName = newAddress();
    expect(await patch(boss, rename(userName))).toMatchObject({ status: 200, body: { userName } });
    expect(await addressOf(boss)).toBe(address);
    await running.admin.patch(`/api/users/${boss.id}`, { role: 'member' });
  });

  test('of a disabled person keeps the address', async () => {
    const address = newAddress();
    const created = await create(address);
    await patch(created, setActive('False'));
    const userName = newAddress();
    expect(await patch(created, rename(userName))).toMatchObject({ status: 200, body: { userName } });
    expect(await addressOf(created)).toBe(address);
  });

  test('keeps the address if another person has the new one', async () => {
    const [address, taken] = [newAddress(), newAddress()];
    const created = await create(address);
    await create(newAddress(), workAddress(taken));
    expect(await patch(created, rename(taken))).toMatchObject({ status: 200, body: { userName: taken } });
    expect(await addressOf(created)).toBe(address);
  });
});
