import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { vitrineUnread } from '../support/cli.js';
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
