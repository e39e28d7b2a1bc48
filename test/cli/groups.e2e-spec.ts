import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { vitrine, vitrineJson, vitrineProcess } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';

interface Body {
  id: string;
  name: string;
  member_count: number;
  groups: { name: string; member_count: number }[];
  members: { type: string; id: string; path?: string[] }[];
  error: { code: string };
}

let service: Service;
const json = (...args: string[]) => vitrineJson<Body>(service.environment, 'groups', ...args);

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

test('create, list and delete, with the command line as the actor', async () => {
  const { code, body } = await json('create', 'Sales', '--description', 'All of sales');
  expect([code, body]).toEqual([0, expect.objectContaining({ name: 'Sales', description: 'All of sales' })]);
  const [event] = await service.database.query<{ kind: string }[]>(
    `SELECT kind FROM audit_events JOIN users ON users.id = actor_id WHERE action = 'group_created' AND target_id = $1`,
    [body.id],
  );
  expect(event?.kind).toBe('service');
  expect((await json('list', '--q', 'sal')).body.groups).toHaveLength(1);
  const { stdout } = await vitrineProcess(service.environment, ['groups', 'list']);
  expect(stdout).toMatch(/^ID\s+NAME\s+SOURCE\s+MEMBER_COUNT\n\S+\s+Sales\s+manual\s+0/);
  expect((await json('delete', 'SALES')).code).toBe(0);
  expect((await json('list')).body.groups).toEqual([]);
});

test('add, members and remove: people by email or id, groups by name or id', async () => {
  const [ada, ben] = [
    await service.factory.user({ name: 'Ada' }),
    await service.factory.user({ name: 'Ben' }),
  ];
  const [outer, inner] = [
    await service.factory.group({ name: 'Outer' }),
    await service.factory.group({ name: 'Inner' }),
  ];
  expect((await json('add', 'inner', ada.email, ben.id)).body.member_count).toBe(2);
  const { stdout } = await vitrine(service.environment, ['groups', 'add', 'Outer', '--group', 'Inner']);
  expect(stdout).toBe('Outer has 2 members.\n');
  expect((await json('members', outer.id)).body.members).toEqual([
    { type: 'group', id: inner.id, name: 'Inner' },
  ]);
  const effective = await json('members', 'outer', '--effective');
  expect(effective.body.members.map(({ id, path }) => [id, path])).toEqual([
    [ada.id, ['Inner']],
    [ben.id, ['Inner']],
  ]);
  const text = await vitrine(service.environment, ['groups', 'members', 'Outer', '--effective']);
  expect(text.stdout).toMatch(/PATH\nuser\s+\S+\s+Ada\s+\S+\s+Inner\n/);
  expect((await json('remove', 'Inner', ben.email)).body.member_count).toBe(1);
  expect((await json('remove', 'Outer', '--group', inner.id)).body.member_count).toBe(0);
});

test('exit code 3 for what does not exist, is taken or is invalid', async () => {
  await service.factory.group({ name: 'Taken' });
  const codeOf = async (...args: string[]) => {
    const { code, body } = await json(...args);
    return [code, body.error.code];
  };
  expect(await codeOf('create', 'TAKEN')).toEqual([3, 'group_name_taken']);
  expect(await codeOf('delete', 'missing')).toEqual([3, 'group_not_found']);
  expect(await codeOf('members', uuidv7())).toEqual([3, 'group_not_found']);
  expect(await codeOf('add', 'Taken', 'missing@example.com')).toEqual([3, 'user_not_found']);
  expect(await codeOf('add', 'Taken', 'missing')).toEqual([3, 'invalid_request']);
  expect(await codeOf('add', 'Taken', '--group', 'Taken')).toEqual([3, 'group_cycle']);
  expect(await codeOf('remove', 'Taken', uuidv7())).toEqual([3, 'group_member_not_found']);
});
