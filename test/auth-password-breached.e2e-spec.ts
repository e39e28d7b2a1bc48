import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Config } from '../src/core/config/config.js';
import { startWatched, type Watched } from './metrics/scrape.js';
import { password } from './support/factory.js';
import { vitrine } from './support/cli.js';

const stolen = 'seven grey herons at noon';
const padded = 'nine brown owls at dawn';
const fresh = 'eight white storks by night';
const outcomes = ['found', 'not_found', 'failed'];

const hashOf = (text: string): string => createHash('sha1').update(text).digest('hex').toUpperCase();

let asked: { path: string; padding: unknown }[] = [];
let list: Server;
let watched: Watched;

/** As the range API answers: what goes on from the prefix, and padding that counts nothing. */
const answer: RequestListener = ({ url = '', headers }, response) => {
  asked.push({ path: url, padding: headers['add-padding'] });
  const lines = [`${hashOf(stolen).slice(5)}:37`, `${hashOf(padded).slice(5)}:0`, `${'0'.repeat(35)}:2`];
  response.end(lines.join('\r\n'));
};
let behaviour = answer;

beforeAll(async () => {
  list = createServer((request, response) => behaviour(request, response));
  await new Promise<void>((resolve) => list.listen(0, '127.0.0.1', resolve));
  const { port } = list.address() as AddressInfo;
  watched = await startWatched({ BREACHED_PASSWORDS_URL: `http://127.0.0.1:${port}/range/` });
});
afterAll(async () => {
  await watched.service.close();
  list.closeAllConnections();
  await new Promise((resolve) => list.close(resolve));
});
beforeEach(() => {
  asked = [];
  behaviour = answer;
});

const counts = (): Promise<number[]> =>
  Promise.all(
    outcomes.map(
      async (outcome) => (await watched.valueOf('vitrine_breach_lookups_total', { outcome })) ?? 0,
    ),
  );

async function change(to: string) {
  const api = await watched.service.as(await watched.service.factory.user());
  const before = await counts();
  const { status, body } = await api.put('/api/users/me/password', {
    current_password: password,
    new_password: to,
  });
  const after = await counts();
  return { status, body, counted: outcomes.filter((_, index) => after[index] !== before[index]) };
}

describe('AUTH-11 new passwords are checked against known data breaches', () => {
  test('a breached password is rejected, and only five characters of its hash are sent', async () => {
    const { counted, ...refused } = await change(stolen);
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'password_rejected', errors: [{ pointer: '/new_password' }] },
    });
    expect(counted).toEqual(['found']);
    expect(asked).toEqual([{ path: `/range/${hashOf(stolen).slice(0, 5)}`, padding: 'true' }]);
  });

  test.each([fresh, padded])('a password that is not in a breach is accepted: %s', async (good) => {
    expect(await change(good)).toMatchObject({ status: 204, counted: ['not_found'] });
    expect(asked).toHaveLength(1);
  });

  test('a password that the rules reject is not looked up', async () => {
    expect(await change('too short')).toMatchObject({ status: 400, counted: [] });
    expect(asked).toEqual([]);
  });

  test.each<[string, RequestListener]>([
    ['never', () => undefined],
    ['too slowly', (_, response) => void response.write('0')],
    ['with an error', (_, response) => response.writeHead(503).end()],
    ['with too large a body', (_, response) => response.end('x'.repeat(300_000))],
    ['by closing the connection', ({ socket }) => socket.destroy()],
    ['with a redirect', (_, response) => response.writeHead(302, { Location: '/x' }).end()],
  ])(
    'a lookup service that responds %s does not block the change, and the failure is counted',
    async (_how, badly) => {
      behaviour = badly;
      // Without a limit of its own the lookup would use up the deadline of the request: 504.
      expect(await change(stolen)).toMatchObject({ status: 204, counted: ['failed'] });
    },
  );
});

describe('AUTH-11 every way to set a password is checked', () => {
  const token = (body: object) => watched.service.api.post('/api/auth/token', body);
  const refused = { status: 400, body: { code: 'password_rejected' } };

  test('an invitation, which can still be accepted', async () => {
    const { asAdmin, mailbox } = watched.service;
    await (await asAdmin()).post('/api/users/invite', { email: 'grace@example.com' });
    const invitation_token = await mailbox.secretFor('grace@example.com');
    const accept = (given: string) => token({ grant_type: 'invitation', invitation_token, password: given });
    expect(await accept(stolen)).toMatchObject(refused);
    expect(await accept(fresh)).toMatchObject({ status: 200 });
  });

  test('a password reset, whose link can still be used', async () => {
    const { factory, mailbox } = watched.service;
    const { email } = await factory.user();
    await token({ grant_type: 'password_reset_request', email });
    const reset_token = await mailbox.secretFor(email);
    const reset = (given: string) => token({ grant_type: 'password_reset', reset_token, password: given });
    expect(await reset(stolen)).toMatchObject(refused);
    expect(await reset(fresh)).toMatchObject({ status: 204 });
  });

  test('the command line', async () => {
    const create = ['users', 'create', 'ben@example.com', '--password-stdin'];
    const { code, stderr } = await vitrine(watched.service.environment, create, stolen);
    expect(code).not.toBe(0);
    expect(stderr).toContain('appears in a known data breach');
    expect(await vitrine(watched.service.environment, create, fresh)).toMatchObject({ code: 0 });
  });
});

describe('AUTH-11 BREACHED_PASSWORDS_URL', () => {
  test('is unset by default, which disables the lookup', () => {
    const { BREACHED_PASSWORDS_URL: _, ...others } = watched.service.environment;
    expect(Config.load(others).breachedPasswordsUrl).toBeUndefined();
  });

  test('requires https, except on loopback', () => {
    const load = (BREACHED_PASSWORDS_URL: string) =>
      Config.load({ ...watched.service.environment, BREACHED_PASSWORDS_URL });
    expect(load('https://api.pwnedpasswords.com/range').breachedPasswordsUrl).toContain('pwned');
    expect(() => load('http://list.example/range')).toThrow('BREACHED_PASSWORDS_URL must use https');
  });
});
