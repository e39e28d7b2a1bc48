import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Config } from '../../src/core/config/config.js';
import { rotateKeys } from '../../src/cli/rotate-keys.js';
import { makeCertificate } from '../support/certificate.js';
import { type Document, documents } from './documents.js';

const documentOf = (name: string): Document => documents.find(({ path }) => path === name) as Document;
const secrets = mkdtempSync(join(tmpdir(), 'vitrine-secrets-'));
const example = readFileSync('deploy/vitrine.env.example', 'utf8');
const commented = example.replaceAll(/^#(?=[A-Z_]+=)/gm, '');

/** With the secrets that docs/production.md has one make, and with own values in place of the placeholders. */
const asOnHost = (text: string): NodeJS.Dict<string> =>
  parseEnv(
    text
      .replaceAll('/etc/vitrine/secrets', secrets)
      .replaceAll('00000000-0000-0000-0000-000000000000', randomUUID())
      .replace('you@example.com', 'ada@example.com'),
  );

beforeAll(async () => {
  const { certificate, privateKey } = await makeCertificate();
  rotateKeys(join(secrets, 'jwt-keys.json'), 1);
  const random = (): string => execFileSync('openssl', ['rand', '-hex', '32'], { encoding: 'utf8' });
  const files = {
    'database-url': `postgres://vitrine_app:${random().trim()}@127.0.0.1:5432/vitrine\n`,
    'secret-key': random(),
    'admin-password': random(),
    'power-bi.pem': `${privateKey}\n${certificate}\n`,
    'smtp-url': 'smtps://reports:f81c1a6e@mail.example.com\n',
    'oidc-client-secret': random(),
    'sign-in-rules.json': documentOf('docs/sign-in.md').blocks.find(({ language }) => language === 'json')
      ?.text,
  };
  for (const [name, text = ''] of Object.entries(files)) writeFileSync(join(secrets, name), text);
});
afterAll(() => rmSync(secrets, { recursive: true }));

describe('deploy/vitrine.env.example', () => {
  test('has only lines that systemd, Compose and docker parse in the same way (D6)', () => {
    const lines = example.split('\n').filter((line) => line !== '' && !line.startsWith('# '));
    expect(lines.length).toBeGreaterThan(10);
    expect(
      lines.filter((line) => !/^#?[A-Z][A-Z0-9_]*=[^\s'"`$\\#]([^'"`$\\#]*[^\s'"`$\\#])?$/.test(line)),
    ).toEqual([]);
  });

  test('names every secret as a file of the mounted folder, and no bind address (D6)', () => {
    const files = Object.entries(parseEnv(commented)).filter(([name]) => name.endsWith('_FILE'));
    expect(files.length).toBeGreaterThan(5);
    expect(files.filter(([, path]) => path?.startsWith('/etc/vitrine/secrets/') !== true)).toEqual([]);
    expect(commented).not.toMatch(/^(HOST|PORT|\w*(PASSWORD|SECRET|KEY|URL))=(?!https:)/m);
  });

  test.each([
    ['with own values', example],
    ['with own values and every commented line enabled', commented],
  ])('%s configures the service (D6)', (_, text) => {
    const config = Config.load({ ...asOnHost(text), NODE_ENV: 'production' });
    expect(config.powerBi).toMatchObject({
      credential: { kind: 'certificate' },
      apiUrl: 'https://api.powerbi.com',
    });
    expect(config.auth.firstAdmin?.password.length).toBeGreaterThanOrEqual(15);
    expect(config.auth.signingKeys.read()).toHaveLength(1);
    expect(config.mail.from).toBe('Reports <reports@example.com>');
    expect(config.http.trustProxy).toContain('127.0.0.1');
  });

  test('unchanged is refused in production, with the name of each placeholder (D6)', () => {
    const unchanged = parseEnv(example.replaceAll('/etc/vitrine/secrets', secrets));
    const start = () => Config.load({ ...unchanged, NODE_ENV: 'production' });
    for (const name of ['ADMIN_EMAIL', 'POWERBI_TENANT_ID', 'POWERBI_CLIENT_ID'])
      expect(start).toThrow(`${name} is a placeholder: set your own value`);
  });

  test('docs/production.md repeats its lines for sign-in, and the rules in docs/sign-in.md are valid', () => {
    const shown = documentOf('docs/production.md').blocks.filter(({ language }) => language === 'dotenv');
    const lines = shown.flatMap(({ text }) => text.split('\n'));
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.filter((line) => !commented.split('\n').includes(line))).toEqual([]);
    expect(Config.load(asOnHost(commented)).oidc?.rules.rules.length).toBeGreaterThan(1);
  });
});

describe('a configuration file that a document shows completely', () => {
  const shipped = ['deploy/nginx/vitrine.conf', 'deploy/pgbouncer/pgbouncer.ini'];

  test.each(shipped)('%s is identical to the shipped file (D4)', (path) => {
    const blocks = documents.flatMap((document) => document.blocks.map(({ text }) => text.trim()));
    expect(blocks).toContain(readFileSync(path, 'utf8').trim());
  });

  test('there is no other ini block', () => {
    const inis = documents.flatMap(({ blocks }) => blocks.filter(({ language }) => language === 'ini'));
    expect(inis).toHaveLength(1);
  });
});
