import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { freePort } from '../../local/free-port.js';
import { documents } from '../docs/documents.js';
import { makeCertificate, type TestCertificate } from '../support/certificate.js';
import { endProcess } from '../support/child-process.js';
import { until } from '../support/until.js';
import { PATH } from './programs.js';

interface Replica {
  server: Server;
  port: number;
  /** Of each request, and how many connections brought them. */
  requests: IncomingHttpHeaders[];
  connections: number;
}

const folder = mkdtempSync(join(tmpdir(), 'vitrine-nginx-'));
chmodSync(folder, 0o755);

async function startReplica(): Promise<Replica> {
  const requests: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    requests.push(headers);
    response.end('ok');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const replica = { server, port: (server.address() as AddressInfo).port, requests, connections: 0 };
  server.on('connection', () => (replica.connections += 1));
  return replica;
}

/** The shipped file with the upstream that docs/scaling.md shows, and this test's addresses. */
function configuration(ports: { http: number; https: number; replicas: number[] }): string {
  const { blocks = [] } = documents.find(({ path }) => path === 'docs/scaling.md') ?? {};
  const upstream = blocks.find(({ language }) => language === 'nginx')?.text ?? '';
  const [one, two] = ports.replicas;
  return readFileSync('deploy/nginx/vitrine.conf', 'utf8')
    .replace(/^upstream [^}]*\}/, upstream)
    .replace('10.0.0.11:3000', `127.0.0.1:${one}`)
    .replace('10.0.0.12:3000', `127.0.0.1:${two}`)
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${ports.http};`)
    .replace('listen 443', `listen 127.0.0.1:${ports.https}`)
    .replaceAll('/etc/ssl/vitrine', folder);
}

function write(server: string, { certificate, privateKey }: TestCertificate): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(join(folder, 'reports.example.com.crt'), certificate);
  writeFileSync(join(folder, 'reports.example.com.key'), privateKey, { mode: 0o600 });
  writeFileSync(join(folder, 'vitrine.conf'), server);
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/error.log; events {}
    http { access_log off; ${temporary.join(' ')} include ${folder}/vitrine.conf; }`;
  writeFileSync(join(folder, 'nginx.conf'), main);
  return join(folder, 'nginx.conf');
}

describe('nginx with the shipped configuration (D4)', () => {
  let nginx: ChildProcess;
  let replicas: [Replica, Replica];
  let ports: { http: number; https: number };

  const send = async ({ headers, ...more }: RequestOptions, body?: Buffer): Promise<number | undefined> => {
    const options = {
      host: '127.0.0.1',
      port: ports.https,
      rejectUnauthorized: false,
      agent: false as const,
      ...more,
    };
    const sent = request({ ...options, headers: { Host: 'reports.example.com', ...headers } }).end(body);
    const [response] = (await once(sent, 'response')) as [
      Parameters<typeof text>[0] & { statusCode?: number },
    ];
    await text(response);
    return response.statusCode;
  };
  const get = (headers: Record<string, string> = {}) => send({ headers });

  beforeAll(async () => {
    replicas = [await startReplica(), await startReplica()];
    ports = { http: await freePort(), https: await freePort() };
    const server = configuration({ ...ports, replicas: replicas.map(({ port }) => port) });
    const file = write(server, await makeCertificate());
    nginx = spawn('nginx', ['-p', folder, '-c', file], {
      env: { PATH },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await until(() => get().catch(() => undefined));
  });
  afterAll(async () => {
    await endProcess(nginx);
    for (const { server } of replicas) server.close();
    rmSync(folder, { recursive: true });
  });

  test('redirects plain http to https', async () => {
    const url = `http://127.0.0.1:${ports.http}/reports?q=a`;
    const { status, headers } = await fetch(url, { redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([301, 'https://reports.example.com/reports?q=a']);
  });

  test('replaces X-Forwarded-For, and keeps Host', async () => {
    await get({ 'X-Forwarded-For': '203.0.113.9' });
    const headers = replicas.flatMap(({ requests }) => requests);
    expect(new Set(headers.map((each) => each['x-forwarded-for']))).toEqual(new Set(['127.0.0.1']));
    expect(new Set(headers.map(({ host }) => host))).toEqual(new Set(['reports.example.com']));
  });

  test('distributes requests over the replicas, with keep-alive connections', async () => {
    for (let count = 0; count < 40; count += 1) expect(await get()).toBe(200);
    for (const { requests, connections } of replicas) {
      expect(requests.length).toBeGreaterThan(15);
      // One for each worker process of nginx.
      expect(connections).toBeLessThan(requests.length / 2);
    }
  });

  test('passes a group of SCIM with all its members to the service', async () => {
    const body = Buffer.alloc(1_500_000, ' ');
    expect(await send({ method: 'POST', path: '/scim/v2/Groups' }, body)).toBe(200);
  });

  test('uses the other replica when one is stopped', async () => {
    const [first] = replicas;
    first.server.close();
    first.server.closeAllConnections();
    for (let count = 0; count < 20; count += 1) expect(await get()).toBe(200);
  });
});
