import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Started, temporaryDataDir } from '../local/started.js';
import { documents } from './documents.js';
import { announcedFailure, expectAsWritten, isRun, isShell } from './expectations.js';
import { asReadBy } from './reader.js';
import { type Ran, runInShell } from './shell.js';

/** Why a block may be left out: what it needs is not here, or it would not end. Anything else is run. */
const reasons = [
  'keeps running',
  'needs a browser',
  'needs a real tenant',
  'needs a token of your provider',
  'needs Docker',
  'needs Helm',
  'needs a PostgreSQL superuser',
  'needs a cluster',
  'asks the registry',
  'needs a second replica',
  'needs a new server',
  'deletes the database before the restore',
  'installs packages',
  'runs on the build machine',
  'runs the tests',
];
const WITHIN_SECONDS = 120;

const { dataDir, remove } = temporaryDataDir();
let started: Started;

/** The commands for a host need no local start: test/host/documents.e2e-spec.ts runs them. */
const forHosts = ['production', 'scaling', 'upgrading', 'backup'].map((name) => `docs/${name}.md`);
const followed = documents.filter(({ path, blocks }) => !forHosts.includes(path) && blocks.some(isRun));

/** As a reader of this start has them. */
function asRead(text: string): string {
  const emulator = readFileSync(join(dataDir, 'emulator.json'), 'utf8');
  const { url: emulatorUrl } = JSON.parse(emulator) as { url: string };
  return asReadBy({ url: started.url, emulatorUrl, password: started.admin.password, folder: dataDir }, text);
}

/** A new shell: what a block needs of the service's variables, its document reads (D13). */
const environment = (): Record<string, string | undefined> => ({
  PATH: `${join(process.cwd(), 'node_modules/.bin')}:${process.env.PATH}`,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
});

beforeAll(async () => {
  started = await new Started(dataDir).ready();
  await started.hasDemoData();
});
afterAll(async () => {
  await started?.signal('SIGTERM');
  await remove();
});

describe('shell blocks', () => {
  const shells = documents.flatMap(({ blocks }) => blocks.filter(isShell));

  test('are found in the documents', () => expect(shells.filter(isRun).length).toBeGreaterThan(50));

  test('that are not run state an accepted reason', () => {
    const left = shells.filter((block) => !isRun(block)).map(({ info }) => info.replace('not-run: ', ''));
    expect(left.filter((reason) => !reasons.includes(reason))).toEqual([]);
  });

  test('have only known annotations', () => {
    const told = shells.filter((block) => isRun(block) && block.info !== '');
    expect(told.filter((block) => announcedFailure(block) === undefined)).toEqual([]);
  });
});

describe.each(followed)('$path', (document) => {
  const blocks = document.blocks.filter(isRun);
  let texts: string[];
  let results: (Ran | undefined)[];

  beforeAll(
    async () => {
      texts = blocks.map(({ text }) => asRead(text));
      results = await runInShell(texts, environment(), WITHIN_SECONDS);
    },
    (WITHIN_SECONDS + 10) * 1000,
  );

  test('contains no unknown placeholder', () => {
    expect(texts.filter((text) => /…|<[a-z][a-z ]*>/.test(text))).toEqual([]);
  });

  test.each(blocks.map((block, index) => ({ block, index, line: block.line })))(
    'line $line works',
    ({ block, index }) => expectAsWritten(document, block, results[index]),
  );
});
