import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { compileFunction } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { documents } from './documents.js';

/** What the sample of this document that contains `name` returns as `name`, with these globals in place of the real ones. */
function sampleOf<T>(document: string, name: string, globals: object): T {
  const { blocks = [] } = documents.find(({ path }) => path === document) ?? {};
  const { text = '' } = blocks.find((block) => block.text.includes(`function ${name}(`)) ?? {};
  const code = ts.transpile(text.replaceAll('export ', ''), { target: ts.ScriptTarget.ESNext });
  const load = compileFunction(`${code}\nreturn ${name};`, Object.keys(globals)) as (...all: unknown[]) => T;
  return load(...(Object.values(globals) as unknown[]));
}

interface Following {
  url: string;
  accessToken: () => Promise<string>;
  onEvent: (event: { seq: number }) => void;
}
type Follow = (options: Following) => Promise<never>;

describe('the sample that follows events', () => {
  let server: Server;
  let port = 0;
  let response: ServerResponse | undefined;
  const positions: (string | undefined)[] = [];

  const listen = async (): Promise<void> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    ({ port } = server.address() as AddressInfo);
  };

  beforeAll(async () => {
    server = createServer(({ headers }, opened) => {
      const position = headers['last-event-id'] as string | undefined;
      positions.push(position);
      response = opened.writeHead(200, { 'content-type': 'text/event-stream' });
      const first = Number(position ?? 0) + 1;
      for (const seq of [first, first + 1]) response.write(`id: ${seq}\ndata: {"seq":${seq}}\n\n`);
    });
    await listen();
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  test('misses and repeats none when the service breaks off, refuses connections and returns', async () => {
    const waits: (() => Promise<unknown>)[] = [
      () => Promise.resolve(),
      // Closed, before the next request.
      () => Promise.resolve(server.close()),
      listen,
    ];
    const delays: number[] = [];
    const setTimeout = async (next: () => void, ms: number): Promise<void> => {
      delays.push(ms);
      await waits.shift()?.();
      next();
    };
    const seen: number[] = [];
    const onEvent = ({ seq }: { seq: number }): void => {
      seen.push(seq);
      if (seq === 2) response?.destroy();
      if (seq === 4) response?.end();
      if (seq === 6) throw new TypeError('not stored');
    };
    const follow = sampleOf<Follow>('docs/events.md', 'follow', { setTimeout });
    const following = follow({ url: `http://127.0.0.1:${port}`, accessToken: async () => 'token', onEvent });
    await expect(following).rejects.toThrow('not stored');
    expect(seen).toEqual([1, 2, 3, 4, 5, 6]);
    expect(positions).toEqual([undefined, '2', '4']);
    expect(delays).toEqual([1000, 1000, 1000]);
  });

  test('ends with the failure of the access token', async () => {
    const follow = sampleOf<Follow>('docs/events.md', 'follow', {});
    const accessToken = () => Promise.reject(new Error('The secret has expired'));
    await expect(follow({ url: '', accessToken, onEvent: () => {} })).rejects.toThrow('has expired');
  });
});

test('the sample of a backend forwards the body of the page', async () => {
  const sent: [string, RequestInit][] = [];
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    sent.push([url, init]);
    return Response.json({ access_token: 'ada', expires_in: 3600 });
  };
  type EmbedToken = (user: string, token: string, request: object) => Promise<Response>;
  const embedToken = sampleOf<EmbedToken>('docs/integration.md', 'embedToken', { fetch });
  const body = '{"access":"edit"}';
  await embedToken('ada', 'provided', { reportId: '7', body });
  expect(sent.at(-1)).toEqual([
    'https://reports.example.com/api/reports/7/embed-token',
    { method: 'POST', headers: { authorization: 'Bearer ada', 'content-type': 'application/json' }, body },
  ]);
});
