import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { vitrine } from '../support/cli.js';
import { built } from '../support/program.js';
import { type Service, startService } from '../support/service.js';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.js';
import { until } from '../support/until.js';

/** Ten times the limit of a query outside a request. */
const LIMIT_SECONDS = 100;

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

const tail = (...args: string[]) => vitrine(service.environment, ['events', 'tail', ...args]);

async function createGroup(name: string): Promise<string> {
  const { code, stdout } = await vitrine(service.environment, ['groups', 'create', name, '--json']);
  expect(code).toBe(0);
  return (JSON.parse(stdout) as { id: string }).id;
}

test('tail --no-follow prints the stored events, as text or JSON', async () => {
  const id = await createGroup('Sales');
  const { code, stdout } = await tail('--no-follow', '--type', 'group.created');
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(String.raw`^\d+  \S+Z  group\.created  group/${id}  \{.+\}\n$`));
  const lines = (await tail('--no-follow', '--after', '0', '--type', 'group.created', '--json')).stdout;
  expect(JSON.parse(lines)).toMatchObject({ type: 'group.created', subject: `group/${id}` });
});

test('tail prints events as they happen until it is interrupted', async () => {
  const args = [built('src/cli/vitrine.js'), 'events', 'tail', '--after', '0', '--type', 'group.created'];
  const child = spawn(process.execPath, args, { env: service.environment });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  await until(() => text.includes('group.created'));
  const id = await createGroup('Finance');
  await until(() => text.includes(id));
  const exit = once(child, 'exit');
  child.kill('SIGINT');
  expect((await exit)[0]).toBe(0);
});

test.each([
  { what: 'is unreachable', interrupt: (proxy: TcpProxy) => proxy.disconnect() },
  {
    what: 'has moved, of which its connections learn nothing',
    interrupt: async (proxy: TcpProxy) => proxy.vanish(),
  },
])(
  'tail waits for a database that $what, and continues without a gap',
  async ({ what, interrupt }) => {
    const proxy = await startTcpProxy(service.environment['DATABASE_URL'] ?? '');
    const args = [built('src/cli/vitrine.js'), 'events', 'tail', '--type', 'group.created'];
    const env = { ...service.environment, DATABASE_URL: proxy.url, DATABASE_DIRECT_URL: proxy.url };
    const child = spawn(process.execPath, args, { env });
    let [text, notices] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => (notices += chunk));
    try {
      // Events before the command has started are not printed.
      await until(async () => {
        await createGroup(`Before ${performance.now()}`);
        return text.includes('group.created');
      });
      await interrupt(proxy);
      const missed = await createGroup(`During ${performance.now()}`);
      await until(() => notices.includes('The database does not respond. Waiting for it…\n'), LIMIT_SECONDS);
      if (what === 'is unreachable') await proxy.reconnect();
      await until(() => text.includes(missed), LIMIT_SECONDS);
      expect(notices).toBe('The database does not respond. Waiting for it…\nThe database responds again.\n');
      const exit = once(child, 'exit');
      child.kill('SIGINT');
      expect((await exit)[0]).toBe(0);
    } finally {
      child.kill('SIGKILL');
      await proxy.disconnect();
    }
  },
  3 * LIMIT_SECONDS * 1000,
);

test.each([
  [['--after', 'x'], 'after'],
  [['--type', 'unknown'], 'type'],
  [['--after', '999999'], 'after'],
])('tail %j is rejected', async (args, name) => {
  const { code, stderr } = await tail('--no-follow', ...args);
  expect(code).not.toBe(0);
  expect(stderr).toContain(name);
});
