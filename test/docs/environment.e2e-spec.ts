import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Config } from '../../src/config/config.js';
import { type Document, documents } from './documents.js';
import { expectAsWritten, isRun } from './expectations.js';
import { asReadBy } from './reader.js';
import { type Ran, runInShell } from './shell.js';

const documentOf = (name: string): Document => documents.find(({ path }) => path === name) as Document;
const production = documentOf('docs/production.md');
const commands = production.blocks.filter(isRun);
const folder = mkdtempSync(join(tmpdir(), 'vitrine-production-'));
const asRead = ({ text }: { text: string }): string =>
  asReadBy({ url: '', emulatorUrl: '', password: '', folder }, text);

let results: (Ran | undefined)[];

/** The variables that the document has one write, one part after the other. */
function shown(): NodeJS.Dict<string> {
  const parts = production.blocks.filter(({ language }) => language === 'dotenv').map(asRead);
  expect(parts.length).toBeGreaterThan(1);
  return parseEnv(parts.join('\n'));
}

beforeAll(async () => {
  const { PATH, HOME } = process.env;
  results = await runInShell(commands.map(asRead), { PATH, HOME }, 60);
}, 70_000);
afterAll(() => rmSync(folder, { recursive: true }));

describe('docs/production.md', () => {
  test.each(commands.map((block, index) => ({ block, index, line: block.line })))(
    'line $line works',
    ({ block, index }) => expectAsWritten(production, block, results[index]),
  );

  test('shows an environment that the service starts with, given what the commands make', () => {
    const { OIDC_RULES_FILE, ...variables } = shown();
    expect(OIDC_RULES_FILE).toBe(join(folder, 'secrets/sign-in-rules.json'));
    const config = Config.load(variables);
    expect(config.powerBi.credential.kind).toBe('certificate');
    expect(config.powerBi.apiUrl).toBe('https://api.powerbi.com');
    expect(config.auth.firstAdmin?.password.length).toBeGreaterThanOrEqual(15);
    expect(config.auth.signingKeys.read()).toHaveLength(1);
    expect(config.oidc?.issuer).toContain('/v2.0');
  });

  test('makes secrets that nobody else can read', () => {
    const files = ['power-bi.key', 'power-bi.pem', 'jwt-keys.json', 'secret-key', 'admin-password'];
    for (const name of files) {
      expect([name, statSync(join(folder, 'secrets', name)).mode & 0o077]).toEqual([name, 0]);
    }
    expect(statSync(join(folder, 'secrets')).mode & 0o077).toBe(0);
  });
});

describe('docs/sign-in.md', () => {
  test('shows rules that are rules', () => {
    const rules = documentOf('docs/sign-in.md').blocks.find(({ language }) => language === 'json')?.text;
    const { OIDC_RULES_FILE: _, ...variables } = shown();
    const { oidc } = Config.load({ ...variables, OIDC_RULES: rules });
    expect(oidc?.rules.rules.length).toBeGreaterThan(1);
  });
});
