import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { vitrine } from '../support/cli.js';
import { Client } from '../support/client.js';
import { makeSigningKey } from '../support/environment.js';
import { password } from '../support/factory.js';
import { built } from '../support/program.js';
import { startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';

interface Tokens {
  access_token: string;
  refresh_token: string;
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-rotation-'));
const file = join(folder, 'keys.json');
const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid as string;

let service: Service;

beforeAll(async () => {
  writeFileSync(file, JSON.stringify({ keys: [makeSigningKey('old')] }), { mode: 0o600 });
  service = await startService({ JWT_KEYS_FILE: file });
});
afterAll(() => service.close());

const signIn = async (): Promise<Tokens> => {
  const { email } = await service.factory.user();
  return (await service.api.post<Tokens>('/api/auth/token', { email, password })).body;
};
const statusWith = async ({ access_token }: Tokens) =>
  (await new Client(service.url, access_token).get('/api/users/me')).status;
const publishedKids = async (): Promise<string[]> => {
  const { body } = await service.api.get<{ keys: { kid: string }[] }>('/.well-known/jwks.json');
  return body.keys.map(({ kid }) => kid);
};

describe('vitrine keys rotate', () => {
  test('JWT-13: the new key signs, the old one still verifies, and sessions continue', async () => {
    const before = await signIn();
    expect(kidOf(before.access_token)).toBe('old');
    const statuses: number[] = [];
    const rotated = new AbortController();
    const load = (async () => {
      while (!rotated.signal.aborted)
        statuses.push(await statusWith(before), await statusWith(await signIn()));
    })();
    // Blocks this process: the requests below do not compete with the start of the command.
    const rotate = [built('src/cli/vitrine.js'), 'keys', 'rotate', '--file', file];
    expect(execFileSync(process.execPath, rotate, { encoding: 'utf8' })).toContain('is the new signing key');
    await until(async () => (await publishedKids()).length === 2);
    expect(kidOf((await signIn()).access_token)).toBe('old');
    service.clock.advance(180);
    const after = await signIn();
    expect(kidOf(after.access_token)).toBe((await publishedKids())[0]);
    statuses.push(await statusWith(after), await statusWith(before));
    rotated.abort();
    await load;
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { body } = await service.api.get<{ keys: { kid: string; d?: string }[] }>('/.well-known/jwks.json');
    expect(body.keys.every((key) => !('d' in key) && !('p' in key))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('a removed key is rejected immediately', async () => {
    const tokens = await signIn();
    const { keys } = JSON.parse(readFileSync(file, 'utf8')) as { keys: { kid: string }[] };
    const left = keys.filter(({ kid }) => kid !== kidOf(tokens.access_token));
    writeFileSync(file, JSON.stringify({ keys: left }));
    await until(async () => (await statusWith(tokens)) === 401);
    expect(await statusWith(await signIn())).toBe(200);
  });

  test('JWT-13: the key that signs after a rotation is in a JWKS that was cached before', async () => {
    const { headers, body } = await service.api.get<{ keys: { kid: string }[] }>('/.well-known/jwks.json');
    const cached = body.keys.map(({ kid }) => kid);
    expect((await vitrine({}, ['keys', 'rotate', '--file', file])).code).toBe(0);
    await until(async () => (await publishedKids())[0] !== cached[0]);
    service.clock.advance(Number(/max-age=(\d+)/.exec(headers.get('cache-control') ?? '')?.[1]));
    expect(cached).toContain(kidOf((await signIn()).access_token));
  });

  test('a file whose times are kept, as by `cp -p`, is reloaded, too', async () => {
    const [first, second] = [makeSigningKey('first'), makeSigningKey('second')];
    const write = (...keys: object[]): void => {
      writeFileSync(file, JSON.stringify({ keys }));
      utimesSync(file, 1, 1);
    };
    write(first, second);
    await until(async () => (await publishedKids())[0] === 'first');
    write(second, first);
    await until(async () => (await publishedKids())[0] === 'second');
  });

  test('an invalid JWKS file changes nothing', async () => {
    const good = readFileSync(file, 'utf8');
    writeFileSync(file, '{"keys":[]}');
    const tokens = await signIn();
    expect(await statusWith(tokens)).toBe(200);
    writeFileSync(file, good);
  });

  test('reports invalid arguments, with exit code 2', async () => {
    expect(await vitrine({}, ['keys', 'rotate', '--file', file, '--keep', '0'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--keep must be a number'),
    });
    expect(await vitrine({}, ['keys', 'rotate'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Specify the file'),
    });
  });

  test('names the reason when the file cannot be read, and calls only damaged content no JWKS', async () => {
    const rotate = (path: string) => vitrine({}, ['keys', 'rotate', '--file', path]);
    expect(await rotate(folder)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`${folder} cannot be read (EISDIR)`),
    });
    const damaged = join(folder, 'damaged.json');
    for (const content of ['', 'null', '{}', '{"keys":{}}']) {
      writeFileSync(damaged, content);
      expect(await rotate(damaged)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining(`${damaged} is not a private JWKS`),
      });
      expect(readFileSync(damaged, 'utf8')).toBe(content);
    }
  });

  test('leaves no copy of the keys when it cannot write the file', () => {
    const full = mkdtempSync(join(tmpdir(), 'vitrine-rotation-'));
    const path = join(full, 'keys.json');
    const good = JSON.stringify({ keys: [makeSigningKey('good')] });
    writeFileSync(path, good);
    // A limit for the size of files, which ends the writing in the middle, as a full disk does.
    const limited = 'ulimit -f 1; exec "$0" "$@"';
    const rotate = [process.execPath, built('src/cli/vitrine.js'), 'keys', 'rotate', '--file', path];
    const { status, stderr } = spawnSync('sh', ['-c', limited, ...rotate], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringContaining('EFBIG')]);
    expect([readdirSync(full), readFileSync(path, 'utf8')]).toEqual([['keys.json'], good]);
  });
});

describe('SECRET_KEY', () => {
  test('CFG-07: `new,old` accepts refresh tokens of the old key, and issues tokens with the new one', async () => {
    const { email } = await service.factory.user();
    const { body } = await service.api.post<Tokens>('/api/auth/token', { email, password });
    const old = service.environment.SECRET_KEY!;
    const next = randomBytes(32).toString('base64url');
    const refreshWith = async (SECRET_KEY: string, refresh_token: string) => {
      const environment = { ...service.environment, SECRET_KEY };
      const replica = await startInProcessReplica({ ...service, environment });
      const response = await new Client(replica.url).post<Tokens>('/api/auth/token', {
        grant_type: 'refresh_token',
        refresh_token,
      });
      await replica.close();
      return response;
    };
    const renewed = await refreshWith(`${next},${old}`, body.refresh_token);
    expect(renewed.status).toBe(200);
    expect((await refreshWith(next, renewed.body.refresh_token)).status).toBe(200);
    expect((await refreshWith(next, body.refresh_token)).status).toBe(401);
  });

  test('CFG-07: `old,new`, then `new,old`, then `new`: a session moves between the replicas of each step', async () => {
    const old = service.environment.SECRET_KEY!;
    const next = randomBytes(32).toString('base64url');
    const replicas = await Promise.all(
      [`${old},${next}`, `${next},${old}`, next].map((SECRET_KEY) =>
        startInProcessReplica({ ...service, environment: { ...service.environment, SECRET_KEY } }),
      ),
    );
    const [first, second, third] = replicas.map(({ url }) => new Client(url));
    const statuses: number[] = [];
    let { refresh_token } = await signIn();
    for (const api of [first, service.api, first, second, first, second, third, second, third]) {
      const { status, body } = await api!.post<Tokens>('/api/auth/token', {
        grant_type: 'refresh_token',
        refresh_token,
      });
      statuses.push(status);
      refresh_token = body.refresh_token;
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    await Promise.all(replicas.map((replica) => replica.close()));
  });
});

// The last ones: Passport has one strategy per process, that of the replica that started last.
describe('several files of keys', () => {
  test('JWT-13: a replica whose own file changes later accepts each token, also of a key that it has not loaded yet', async () => {
    // No handover of an earlier test continues.
    service.clock.advance(180);
    const copy = join(folder, 'copy.json');
    copyFileSync(file, copy);
    const environment = { ...service.environment, JWT_KEYS_FILE: copy };
    const twin = await startInProcessReplica({ ...service, environment });
    const statusAtTwin = async ({ access_token }: Tokens) =>
      (await new Client(twin.url, access_token).get('/api/users/me')).status;
    const [old] = await publishedKids();
    expect((await vitrine({}, ['keys', 'rotate', '--file', file])).code).toBe(0);
    await until(async () => (await publishedKids())[0] !== old);
    const before = await signIn();
    expect([kidOf(before.access_token), await statusAtTwin(before)]).toEqual([old, 200]);
    copyFileSync(file, copy);
    service.clock.advance(180);
    const after = await signIn();
    expect(kidOf(after.access_token)).not.toBe(old);
    expect(await statusAtTwin(after)).toBe(200);
    await twin.close();
  });

  test('JWT-13: a replica that starts soon after a rotation signs with the key that all replicas have', async () => {
    const kidAt = (seconds: number) => uuidv7({ msecs: service.clock.in(seconds).getTime() });
    const [newest, newer, old] = [kidAt(-10), kidAt(-20), 'old'];
    const own = join(folder, 'own.json');
    writeFileSync(own, JSON.stringify({ keys: [newest, newer, old].map(makeSigningKey) }));
    const environment = { ...service.environment, JWT_KEYS_FILE: own };
    const replica = await startInProcessReplica({ ...service, environment });
    const { email } = await service.factory.user();
    const kid = async () =>
      kidOf(
        (await new Client(replica.url).post<Tokens>('/api/auth/token', { email, password })).body
          .access_token,
      );
    expect(await kid()).toBe(old);
    service.clock.advance(180);
    expect(await kid()).toBe(newest);
    await replica.close();
  });
});
