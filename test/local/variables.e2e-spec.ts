import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { fixedVariables } from '../../local/environment.js';
import { Started, temporaryDataDir } from './started.js';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const each of cleanups.splice(0).toReversed()) await each();
});

function start(variables: Record<string, string>): Started {
  const { dataDir, remove } = temporaryDataDir();
  const started = new Started(dataDir, variables);
  cleanups.push(remove, () => started.signal('SIGTERM'));
  return started;
}

describe('C18 a variable given to npm start', () => {
  test('takes precedence over the default of the local start', async () => {
    const rules = { rules: [{ name: 'Mine', when: { email_domains: ['vitrine.example'] }, role: 'admin' }] };
    const given = {
      OIDC_RULES: JSON.stringify(rules),
      OIDC_PROMPT: 'select_account',
      DATABASE_POOL: '7',
      SHUTDOWN_DELAY_SECONDS: '1',
    };
    const started = await start(given).ready();
    const stored = readFileSync(join(started.dataDir, 'service.env'), 'utf8');
    for (const [name, value] of Object.entries(given)) expect(stored).toContain(`${name}='${value}'\n`);
    const challenge = 'A'.repeat(43);
    const login = await fetch(`${started.url}/login?code_challenge=${challenge}`, { redirect: 'manual' });
    expect(login.headers.get('location')).toContain('prompt=select_account');
  }, 240_000);

  test('is ignored if it names a database', async () => {
    const given = { DATABASE_URL: 'postgres://localhost/mine', DATABASE_URL_FILE: '/run/secrets/mine' };
    const started = await start(given).ready();
    expect(started.output).toContain('uses its own database and ignores DATABASE_URL and DATABASE_URL_FILE.');
    expect(readFileSync(join(started.dataDir, 'service.env'), 'utf8')).not.toContain('/mine');
  }, 240_000);

  test.each([
    [{ DATABASE_DIRECT_URL: 'postgres://localhost/mine' }, 'DATABASE_DIRECT_URL'],
    [{ SMTP_URL: 'smtp://localhost', OIDC_ISSUER: 'https://id.example' }, 'OIDC_ISSUER, SMTP_URL'],
    [{ POWERBI_CLIENT_SECRET_FILE: '/run/secrets/power-bi' }, 'POWERBI_CLIENT_SECRET_FILE'],
    [{ PASSWORD_SIGN_IN: 'false' }, 'PASSWORD_SIGN_IN'],
  ])('is refused by name if it cannot be changed: %j', async (variables: Record<string, string>, names) => {
    const refused = start(variables);
    expect(await refused.ended()).toBe(1);
    expect(refused.output).toContain(`it cannot use ${names}. Unset`);
    expect(refused.output).not.toContain('    at ');
    expect(existsSync(refused.dataDir)).toBe(false);
  });

  test('is documented if it cannot be changed', () => {
    const [, section = ''] = readFileSync('docs/configuration.md', 'utf8').split('## The local start');
    const [text = ''] = section.split('A value for any other variable');
    const named = [...text.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(
      fixedVariables()
        .filter((name) => name !== 'JWT_KEYS')
        .toSorted(),
    );
  });
});
