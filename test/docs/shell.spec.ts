import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { differenceOfJson, differenceOfText } from './compare-output.js';
import { parseDocument } from './documents.js';
import { runInShell } from './shell.js';
import { startOf } from '../../local/process-identity.js';
import { until } from '../support/until.js';

let server: Server;
let url: string;
const run = (...blocks: string[]) => runInShell(blocks, { PATH: process.env.PATH }, 10);

beforeAll(async () => {
  server = createServer((request, response) => response.writeHead(Number(request.url?.slice(1))).end('said'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
});

describe('running the blocks of a document', () => {
  test('keeps variables between blocks, and returns the output of each', async () => {
    const [, second] = await run('NAME=Ada', 'echo "hello $NAME"; echo oops >&2');
    expect(second).toMatchObject({ stdout: 'hello Ada\n', stderr: 'oops\n', failures: [] });
  });

  test('detects every failing command, also in a pipe, in a substitution and before others', async () => {
    const ran = await run('false; true', 'false | cat', 'NAME=$(exit 3)', 'until true; do :; done');
    expect(ran.map((each) => each?.failures.length)).toEqual([1, 1, expect.any(Number), 0]);
    expect(ran[2]?.failures.at(-1)).toMatch(/^3: /);
  });

  test('treats a response of 400 or more as a failure', async () => {
    const ran = await run(`curl -sS ${url}/404`, `curl -sS ${url}/304`, `curl -sS ${url}/201`);
    expect(ran.map((each) => each?.failures.length)).toEqual([expect.any(Number), 0, 0]);
    expect(ran[0]).toMatchObject({
      stdout: 'said',
      failures: expect.arrayContaining([expect.stringMatching(/^22: /)]),
    });
  });

  test('does not let a document install, start or test anything', async () => {
    const [install, suite] = await run('npm ci', 'npm test');
    for (const ran of [install, suite]) expect(ran?.failures[0]).toMatch(/^99: /);
  });

  test('stops a shell that takes too long, without results for the blocks not reached', async () => {
    const [first, second] = await runInShell(['echo done', 'sleep 60'], { PATH: process.env.PATH }, 1);
    expect([first?.stdout, second]).toEqual(['done\n', undefined]);
  });
});

test('what a block leaves running ends with its shell', async () => {
  const [left] = await run('sleep 600 & echo $!');
  await until(() => startOf(Number(left?.stdout)) === null);
});

describe('comparing output', () => {
  const shown = { code: 'x', items: [{ id: 'a', note: null }] };

  test.each([
    [{ code: 'x', items: [{ id: 'other', note: 7 }] }, undefined],
    [{ code: 'y', items: [{ id: 'a', note: null }] }, '/code is "y"'],
    [{ code: 'x', items: [] }, '/items is empty'],
    [{ code: 'x', items: [{ id: 'a' }] }, '/items/0 has id'],
    [{ code: 'x', items: [{ id: 1, note: null }] }, '/items/0/id is number'],
    [{ code: 'x', items: shown.items, more: 1 }, ' has code, items, more'],
  ])('%j: %s', (actual, difference) => {
    expect(differenceOfJson(shown, actual)).toBe(difference);
  });

  test('text: line by line, with placeholders for variable parts', () => {
    expect(
      differenceOfText('HTTP/1.1 200 OK\nETag: "…"', 'HTTP/1.1 200 OK\r\nDate: x\r\netag: "7"\r\n'),
    ).toBeUndefined();
    expect(differenceOfText('b\na', 'a\nb')).toBe('no line like "a"');
    expect(differenceOfText('a.c', 'abc')).toBe('no line like "a.c"');
  });
});

describe('reading a document', () => {
  test('finds blocks with their annotations and lines, anchors and links', () => {
    const text =
      '# A `b` c\n\n- see [it](x.md#y)\n\n```sh not-run: no reason\nls\n```\n\n# A b c\n\n```sh\npwd\n```\n';
    const { blocks, anchors, links } = parseDocument('x.md', text);
    expect(blocks).toEqual([
      { language: 'sh', info: 'not-run: no reason', text: 'ls', line: 5 },
      { language: 'sh', info: '', text: 'pwd', line: 11 },
    ]);
    expect([anchors, links]).toEqual([['a-b-c', 'a-b-c-1'], ['x.md#y']]);
  });
});
