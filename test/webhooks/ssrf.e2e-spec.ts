import { createServer, type Server } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { HostResolverService } from '../../src/events/webhooks/host-resolver.service.js';
import { makeCertificate } from '../support/certificate.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { accept, type Receiver, startReceiver } from './receiver.js';

interface Delivery {
  status: string;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
}

let service: Service;
let admin: Client;
let receiver: Receiver;
/** What the resolver returns next, in order; the last one remains. */
let answers: string[][] = [['8.8.8.8']];
const asked: string[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: receiver.host }, (testing) =>
    testing.overrideProvider(HostResolverService).useValue({
      resolve: (name: string) => {
        asked.push(name);
        return Promise.resolve(answers.length > 1 ? answers.shift() : answers[0]);
      },
    }),
  );
  admin = await service.asAdmin();
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
beforeEach(() => {
  answers = [['8.8.8.8']];
  receiver.react(accept);
});

const add = (url: string) => admin.post<{ id: string }>('/api/webhooks', { url, types: ['refresh.failed'] });
const ping = async (id: string) => (await admin.post<Delivery>(`/api/webhooks/${id}/ping`)).body;

/** As if the URL had been accepted before the rules or its name changed. */
async function stored(url: string): Promise<string> {
  const { body } = await add('https://hooks.example.com/');
  await service.database.query('UPDATE webhooks SET url = $2 WHERE id = $1', [body.id, url]);
  return body.id;
}

describe('a name', () => {
  test.each([
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['::ffff:7f00:1'],
    ['64:ff9b::7f00:1'],
    ['64:ff9b::a9fe:a9fe'],
    ['2002:7f00:1::'],
    ['169.254.169.254'],
    ['fd00:ec2::254'],
    ['10.1.2.3'],
    ['0.0.0.0'],
    ['168.63.129.16'],
  ])('that resolves to %s is rejected, also beside a public address', async (address) => {
    answers = [[address]];
    const alone = await add('https://hooks.example.com/');
    answers = [['8.8.8.8', address]];
    const beside = await add('https://hooks.example.com/');
    for (const { status, body } of [alone, beside])
      expect([status, body]).toMatchObject([400, { errors: [{ pointer: '/url' }] }]);
  });

  test('DNS rebinding: public when it is added, then loopback, is not connected to', async () => {
    answers = [['8.8.8.8'], ['127.0.0.1']];
    const { body } = await add('https://rebinding.example.com:8443/');
    const before = receiver.received.length;
    expect(await ping(body.id)).toMatchObject({
      status: 'failed',
      error: 'address_not_public',
      status_code: null,
    });
    expect(receiver.received).toHaveLength(before);
    expect(asked.filter((name) => name === 'rebinding.example.com')).toHaveLength(2);
  });

  test('that no longer resolves fails the delivery', async () => {
    answers = [['8.8.8.8'], []];
    const { body } = await add('https://hooks.example.com/');
    expect(await ping(body.id)).toMatchObject({ error: 'name_not_resolved' });
  });
});

describe('a stored URL is checked again at each delivery', () => {
  test.each([
    ['http://127.0.0.1:1/', 'address_not_public'],
    ['https://[::1]/', 'address_not_public'],
    ['https://[64:ff9b::7f00:1]/', 'address_not_public'],
    ['https://169.254.169.254/', 'address_not_public'],
    ['http://hooks.example.com/', 'url_not_allowed'],
    ['https://hooks.example.com:6379/', 'url_not_allowed'],
    ['https://localhost/', 'url_not_allowed'],
  ])('%s', async (url, error) => expect(await ping(await stored(url))).toMatchObject({ error }));
});

describe('an allowed host', () => {
  test('is allowed on its port only', async () => {
    expect((await add(receiver.url)).status).toBe(201);
    expect((await add('http://127.0.0.1:1/')).status).toBe(400);
    expect((await add('https://127.0.0.1/')).status).toBe(400);
  });

  test('may not redirect: the target receives nothing', async () => {
    const target = await startReceiver();
    receiver.react((response) => void response.writeHead(307, { location: target.url }).end());
    const { body } = await add(receiver.url);
    expect(await ping(body.id)).toMatchObject({ status: 'failed', error: 'redirect', status_code: 307 });
    expect(target.received).toEqual([]);
    await target.close();
  });
});

describe('the response', () => {
  test('is read to 4 kB: an endless body does not delay, and is not shown', async () => {
    let sent = 0;
    receiver.react((response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && sent < 50_000_000) {
          sent += 65_536;
          if (!response.write('secret'.padEnd(65_536))) return void response.once('drain', more);
        }
      };
      more();
    });
    const { body } = await add(receiver.url);
    const delivery = await ping(body.id);
    expect(delivery).toMatchObject({ status: 'succeeded', status_code: 200 });
    expect(sent).toBeLessThan(20_000_000);
    expect(JSON.stringify(await admin.get(`/api/webhooks/${body.id}/deliveries`))).not.toContain('secret');
  });

  test('that never ends after its status counts by its status', async () => {
    receiver.react((response) => void response.writeHead(202).write('.'));
    const { body } = await add(receiver.url);
    expect(await ping(body.id)).toMatchObject({ status: 'succeeded', status_code: 202 });
  });

  test('that never begins is a timeout', async () => {
    receiver.react(() => undefined);
    const { body } = await add(receiver.url);
    expect(await ping(body.id)).toMatchObject({ status: 'failed', error: 'timeout', status_code: null });
  });
});

describe('a receiver that is no web server', () => {
  let tcp: TcpServer;
  let tls: Server;
  let other: Service;

  beforeAll(async () => {
    const { certificate, privateKey } = await makeCertificate();
    tcp = createTcpServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH\r\n'));
    });
    tls = createServer({ cert: certificate, key: privateKey }, (_request, response) => void response.end());
    await Promise.all(
      [tcp, tls].map((server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', done))),
    );
    const hosts = [tcp, tls].map((server) => `127.0.0.1:${(server.address() as AddressInfo).port}`);
    other = await startService({ WEBHOOK_ALLOWED_HOSTS: hosts.join() });
  });
  afterAll(async () => {
    await other.close();
    tcp.close();
    tls.close();
  });

  test.each([
    ['speaks another protocol', () => `http://127.0.0.1:${(tcp.address() as AddressInfo).port}/`, 'not_http'],
    [
      'has an untrusted certificate',
      () => `https://127.0.0.1:${(tls.address() as AddressInfo).port}/`,
      'tls',
    ],
  ])('%s', async (_name, url, error) => {
    const client = await other.asAdmin();
    const { body } = await client.post<{ id: string }>('/api/webhooks', {
      url: url(),
      types: ['refresh.failed'],
    });
    const { body: delivery } = await client.post<Delivery>(`/api/webhooks/${body.id}/ping`);
    expect(delivery).toMatchObject({ status: 'failed', error });
  });
});
