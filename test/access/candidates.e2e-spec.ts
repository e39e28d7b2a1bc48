import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

interface Candidates {
  candidates: { type: string; id: string; name: string; email: string | null; member_count: number | null }[];
}

let service: Service;
let admin: Client;
let manager: Client;
let sales: Workspace;

beforeAll(async () => {
  service = await startService();
  const { factory } = service;
  admin = await service.asAdmin();
  sales = await factory.workspace();
  const other = await factory.workspace();
  const chief = await factory.user({ name: 'Cora Chief' });
  await factory.grant(chief, sales, 'manager');
  manager = await service.as(chief);
  await factory.grant(await factory.user({ name: 'Nora Near' }), sales);
  await factory.grant(await factory.user({ name: 'Dora Disabled', status: 'disabled' }), sales);
  await factory.grant(await factory.user({ name: 'Flora Far', email: 'flora@example.net' }), other);
  await factory.grant(
    await factory.user({ name: 'Lora Lapsed' }),
    sales,
    'viewer',
    service.clock.in(-60_000),
  );
  await factory.group({ name: 'Oracles with the chief' }, [chief]);
  await factory.group({ name: 'Oracles elsewhere' });
  const near = await factory.group({ name: 'Oracles near' });
  await admin.put(`/api/workspaces/${sales.id}/grants/groups/${near.id}`, { role: 'viewer' });
});
afterAll(() => service.close());

const find = async (by: Client, query: string): Promise<string[]> => {
  const { body, status } = await by.get<Candidates>(`/api/workspaces/${sales.id}/candidates?${query}`);
  expect(status).toBe(200);
  return body.candidates.map(({ name }) => name);
};

describe('GET /api/workspaces/:id/candidates', () => {
  test('a manager does not find the people of a workspace that is retired, and cannot grant to them', async () => {
    const { factory } = service;
    const [chief] = await service.database.query(`SELECT id FROM users WHERE name = 'Cora Chief'`);
    const retired = await factory.workspace({ retiredAt: new Date() });
    const former = await factory.user({ name: 'Zora Retired' });
    for (const user of [chief, former]) await factory.grant(user, retired);
    expect(await find(manager, 'q=zora')).toEqual([]);
    const path = `/api/workspaces/${sales.id}/grants/users/${former.id}`;
    expect((await manager.put(path, { role: 'viewer' })).status).toBe(404);
    await service.database.query('DELETE FROM users WHERE id = $1', [former.id]);
  });

  test('an admin finds every active person and every group, by name or address', async () => {
    expect(await find(admin, 'q=ora')).toEqual([
      'Cora Chief',
      'Flora Far',
      'Lora Lapsed',
      'Nora Near',
      'Oracles elsewhere',
      'Oracles near',
      'Oracles with the chief',
    ]);
    expect(await find(admin, 'q=flora@example.net')).toEqual(['Flora Far']);
    expect(await find(admin, 'limit=2')).toHaveLength(2);
    expect(await find(admin, 'q=ora&limit=2')).toEqual(['Cora Chief', 'Flora Far']);
  });

  test('a manager sees the size of a group', async () => {
    const { body } = await manager.get<Candidates>(`/api/workspaces/${sales.id}/candidates?q=ora`);
    expect(body.candidates.map(({ name, member_count }) => [name, member_count])).toEqual([
      ['Nora Near', null],
      ['Oracles near', 0],
      ['Oracles with the chief', 1],
    ]);
  });

  test('a manager finds others who share a workspace with them, and their own groups', async () => {
    expect(await find(manager, 'q=ora')).toEqual(['Nora Near', 'Oracles near', 'Oracles with the chief']);
    expect(await find(manager, 'q=flora@example.net')).toEqual([]);
  });

  test.each([
    [`q=${'a'.repeat(201)}`, '/q'],
    ['q=a&limit=0', '/limit'],
    ['q=a&limit=101', '/limit'],
  ])('400: ?%s', async (query, pointer) => {
    expect(await admin.get(`/api/workspaces/${sales.id}/candidates?${query}`)).toMatchObject({
      status: 400,
      body: { errors: [{ pointer }] },
    });
  });
});
