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
  const code = ts.transpile(text.replaceAll(/^import .*|export /gm, ''), { target: ts.ScriptTarget.ESNext });
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

test('the sample of a portal repeats a renewal whose response is lost', async () => {
  const sent: unknown[] = [];
  const fetch = async (_url: string, { body, signal }: RequestInit): Promise<Response> => {
    sent.push((JSON.parse(body as string) as { refresh_token?: string }).refresh_token);
    if (sent.length === 2) signal?.throwIfAborted();
    return Response.json({ access_token: `access-${sent.length}`, refresh_token: `refresh-${sent.length}` });
  };
  interface Options {
    accessToken: (refused: boolean) => Promise<string>;
  }
  const signedIn = sampleOf<(code: string, verifier: string) => Promise<Options>>(
    'docs/integration.md',
    'signedIn',
    {
      fetch,
      embedTokens: (options: Options) => options,
      AbortSignal: { timeout: () => AbortSignal.abort() },
    },
  );
  const { accessToken } = await signedIn('code', 'verifier');
  await expect(accessToken(true)).rejects.toThrow('aborted');
  expect(await accessToken(true)).toBe('access-3');
  expect(sent).toEqual([undefined, 'refresh-1', 'refresh-1']);
});

describe('the sample of a backend', () => {
  type EmbedToken = (user: string, providerToken: string, request: object) => Promise<Response>;
  const body = '{"access":"edit"}';

  /** With a service that returns the tokens `1`, `2`, … and responds with 401 to what is in `refused`. */
  function start(...refused: string[]) {
    const requests: [string, RequestInit][] = [];
    /** Tokens that were sent, in order. */
    const sent: string[] = [];
    const clock = { time: 0, now: () => clock.time };
    let count = 0;
    const fetch = async (url: string, init: RequestInit): Promise<Response> => {
      requests.push([url, init]);
      const { subject_token, refresh_token } = JSON.parse(init.body as string) as Record<string, string>;
      const { authorization } = init.headers as Record<string, string>;
      const token = subject_token ?? refresh_token ?? authorization ?? '';
      sent.push(token);
      if (refused.includes(token)) return new Response(null, { status: 401 });
      // Each token of the provider opens one session.
      if (subject_token !== undefined && sent.filter((each) => each === token).length > 1)
        return new Response(null, { status: 400 });
      if (authorization !== undefined) return new Response();
      count += 1;
      return Response.json({
        access_token: `access-${count}`,
        refresh_token: `refresh-${count}`,
        expires_in: 3600,
      });
    };
    const embedToken = sampleOf<EmbedToken>('docs/integration.md', 'embedToken', { fetch, Date: clock });
    const request = (reportId = '7', provided = 'provided') =>
      embedToken('ada', provided, { reportId, body });
    return { request, requests, sent, clock };
  }

  test('forwards the body of the page, and to no other route', async () => {
    const { request, requests } = start();
    await request('../users/invite?');
    expect(requests.at(-1)?.[0]).toBe(
      'https://reports.example.com/api/reports/..%2Fusers%2Finvite%3F/embed-token',
    );
    await request();
    expect(requests.at(-1)).toEqual([
      'https://reports.example.com/api/reports/7/embed-token',
      {
        method: 'POST',
        headers: { authorization: 'Bearer access-1', 'content-type': 'application/json' },
        body,
      },
    ]);
  });

  test('renews the session once after its time, without another exchange', async () => {
    const { request, sent, clock } = start();
    await request();
    clock.time = 3_540_000;
    await Promise.all([request(), request()]);
    expect(sent).toEqual(['provided', 'Bearer access-1', 'refresh-1', 'Bearer access-2', 'Bearer access-2']);
  });

  test('renews the session after a 401', async () => {
    const { request, sent } = start('Bearer access-1');
    expect((await request()).status).toBe(200);
    expect(sent).toEqual(['provided', 'Bearer access-1', 'refresh-1', 'Bearer access-2']);
  });

  test('asks for a new sign-in when the session has ended, and exchanges the token of that', async () => {
    const { request, sent } = start('Bearer access-1', 'refresh-1');
    expect((await request()).status).toBe(401);
    expect(sent).toEqual(['provided', 'Bearer access-1', 'refresh-1', 'provided']);
    expect((await request()).status).toBe(401);
    expect((await request('7', 'provided-2')).status).toBe(200);
    expect(sent.slice(4)).toEqual(['provided', 'provided-2', 'Bearer access-2']);
  });
});

test.each(['packages/embed/README.md', 'docs/usage.md'])(
  'the page of %s takes no sign-in page and no error page for a token',
  async (path) => {
    const { text = '' } = documents.find((document) => document.path === path) ?? {};
    const [, sample = ''] = /accessToken: (async .*?\n {4}\}),/s.exec(text) ?? [];
    const tokenFrom = (response: object) =>
      (compileFunction(`return (${sample})(false);`, ['fetch']) as (fetch: unknown) => Promise<unknown>)(
        async () => response,
      );
    expect(await tokenFrom(new Response('ada'))).toBe('ada');
    expect(await tokenFrom(new Response('Sign in', { status: 401 }))).toBeNull();
    expect(await tokenFrom({ type: 'opaqueredirect', status: 0, ok: false })).toBeNull();
    await expect(tokenFrom(new Response('Bad gateway', { status: 502 }))).rejects.toThrow('502');
  },
);
