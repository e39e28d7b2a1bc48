import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { vitrine, vitrineUnread } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';
import { isFull } from '../support/test-size.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
  const admin = await service.asAdmin();
  expect((await admin.post('/api/groups', { name: 'Sales' })).status).toBe(201);
});
afterAll(() => service.close());

describe('C8 a reader that closes standard output ends the command quietly with 0', () => {
  const commands = ['--help', 'users list', 'usage export', 'events tail --after 0', 'doctor'];
  const others = ['users --help', 'users list --json', 'usage export --format ndjson'];
  test.each(isFull ? [...commands, ...others] : commands)('%s', async (command) => {
    expect(await vitrineUnread(service.environment, command.split(' '))).toEqual({ code: 0, stderr: '' });
  });
});

describe('an error of usage ends with 2 and is one line of JSON with --json', () => {
  test.each([
    ['users disable', /missing required argument/],
    ['users list --bogus', /unknown option '--bogus'/],
    ['users list --role x', /argument 'x' is invalid/],
    ['usres', /unknown command 'usres'.*Did you mean users\?/],
    ['keys rotate --keep x', /./],
    ['grants list --workspace a --report b', /either/],
    ['users', /A command is missing/],
    ['', /A command is missing/],
  ])('"%s"', async (command, detail) => {
    const args = command.split(' ').filter(Boolean);
    const { code, stdout, stderr } = await vitrine(service.environment, ['--json', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^.+\n$/);
    expect(JSON.parse(stderr)).toEqual({ error: { code: 'usage', detail: expect.stringMatching(detail) } });
    const plain = await vitrine(service.environment, args);
    expect([plain.code, plain.stdout]).toEqual([2, '']);
    expect(plain.stderr).not.toMatch(/^{/);
  });

  test('also with --json at the end', async () => {
    const { code, stderr } = await vitrine(service.environment, ['users', 'list', '--bogus', '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'usage' } }]);
  });
});
