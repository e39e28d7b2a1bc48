import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, Environment } from './environment.js';
import { readOidc } from './oidc.config.js';

const read = (variables: Record<string, string>, portalEnabled = true) => {
  const env = new Environment(variables);
  const config = readOidc(env, { publicUrl: 'https://vitrine.test', portalEnabled }, ['idp.internal']);
  env.check();
  return config;
};

const problemsOf = (variables: Record<string, string>): readonly string[] => {
  try {
    read(variables);
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

const usable = { OIDC_ISSUER: 'https://idp.test/app/', OIDC_CLIENT_ID: 'vitrine' };

describe('readOidc', () => {
  test('takes the issuer verbatim and fills in the defaults', () => {
    expect(read(usable)).toMatchObject({
      passwordSignIn: true,
      oidc: {
        issuer: 'https://idp.test/app/',
        scopes: 'openid profile email offline_access',
        returnUrls: ['https://vitrine.test'],
        audiences: ['vitrine'],
        trustEmail: false,
        updateEmail: false,
      },
    });
    expect(read({})).toEqual({ oidc: undefined, passwordSignIn: true });
  });

  test('allows return URLs of other portals, and of the built-in portal while it is enabled', () => {
    const variables = { ...usable, OIDC_RETURN_URLS: 'https://portal.test/app' };
    expect(read(variables).oidc?.returnUrls).toEqual(['https://portal.test/app', 'https://vitrine.test']);
    expect(read(variables, false).oidc?.returnUrls).toEqual(['https://portal.test/app']);
    expect(read(usable, false).oidc?.returnUrls).toEqual(['https://vitrine.test']);
  });

  test('allows plain http only to loopback and to listed hosts', () => {
    const withIssuer = (issuer: string) => problemsOf({ ...usable, OIDC_ISSUER: issuer });
    expect(withIssuer('http://127.0.0.1:4000/')).toEqual([]);
    expect(withIssuer('http://idp.internal')).toEqual([]);
    expect(withIssuer('http://idp.test')).toEqual([
      'OIDC_ISSUER must use https (INSECURE_UPSTREAM_HOSTS allows plain http for a host)',
    ]);
  });

  test('reports every problem at once', () => {
    const problems = problemsOf({
      OIDC_ISSUER: 'https://login.microsoftonline.com/common/v2.0',
      OIDC_RETURN_URLS: 'portal',
      OIDC_RULES: '{"rules":[{"name":"x","when":{},"role":"owner","grant":[]}]}',
    });
    expect(problems).toEqual([
      'OIDC_CLIENT_ID is missing',
      'OIDC_RETURN_URLS must be http or https URLs without a query, separated by commas',
      'OIDC_ALLOWED_TENANTS is missing: this OIDC_ISSUER accepts every tenant',
      expect.stringContaining('/rules/0/grant:'),
      expect.stringContaining('/rules/0/when:'),
      expect.stringContaining('/rules/0/role:'),
    ]);
  });

  test.each<[string, object, string[]]>([
    ['a report by its id', { report: '4f5a8a51-8d3e-4f0b-9d0a-6c0a52c1f7d1', role: 'editor' }, []],
    ['a report by its name in a workspace', { workspace: 'Sales', report: 'Revenue', role: 'viewer' }, []],
    ['a report by its name alone', { report: 'Revenue', role: 'viewer' }, ['workspace']],
    ['neither workspace nor report', { role: 'viewer' }, ['workspace']],
    ['a manager of a report', { workspace: 'Sales', report: 'Revenue', role: 'manager' }, ['role']],
  ])('validates the grants of a rule: %s', (_name, grant, fields) => {
    const rules = [{ name: 'x', when: { groups: ['x'] }, grants: [grant] }];
    const problems = problemsOf({ ...usable, OIDC_RULES: JSON.stringify({ rules }) });
    expect(problems.map((text) => /\/rules\/0\/grants\/0\/(\w+):/.exec(text)?.[1])).toEqual(fields);
  });

  const domainsIn = (email_domains: unknown) => ({
    ...usable,
    OIDC_RULES: JSON.stringify({ rules: [{ name: 'x', when: { email_domains }, admit: true }] }),
  });

  test('reads the domains of a rule in the form that addresses contain', () => {
    const given = ['B\u00fccher.example', 'Contoso.COM', ' xn--bcher-kva.example', 'localhost'];
    expect(read(domainsIn(given)).oidc?.rules.rules[0]?.when.email_domains).toEqual([
      'xn--bcher-kva.example',
      'contoso.com',
      'xn--bcher-kva.example',
      'localhost',
    ]);
  });

  test.each([
    '@contoso.com',
    '*.contoso.com',
    'contoso .com',
    'ada@contoso.com',
    '',
    'https://contoso.com',
    7,
  ])('refuses %j as the domain of a rule', (domain) => {
    expect(problemsOf(domainsIn(['contoso.com', domain]))).toEqual([
      expect.stringContaining('/rules/0/when/email_domains'),
    ]);
  });

  test.each<[object, string]>([
    [{ claims: {} }, 'claims'],
    [{ claims: null }, 'claims'],
    [{ claims: { region: null } }, 'claims'],
    [{ claims: { region: [] } }, 'claims'],
    [{ groups: null }, 'groups'],
    [{ email_domains: null }, 'email_domains'],
    [{ groups: ['sales'], claims: {} }, 'claims'],
  ])('refuses the condition %j, which would match everyone or fail at the sign-in', (when, field) => {
    const rules = [{ name: 'x', when, admit: true, role: 'admin' }];
    const problems = problemsOf({ ...usable, OIDC_RULES: JSON.stringify({ rules }) });
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) expect(problem).toContain(`/rules/0/when/${field}:`);
  });

  test.each(['admit', 'role', 'attributes', 'grants', 'member_of'])(
    'refuses null as %s of a rule',
    (field) => {
      const rules = [{ name: 'x', when: { groups: ['x'] }, [field]: null }];
      const [problem] = problemsOf({ ...usable, OIDC_RULES: JSON.stringify({ rules }) });
      expect(problem).toContain(`/rules/0/${field}:`);
    },
  );

  test('names the variable with the rules that are not valid', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'vitrine-rules-')), 'rules.json');
    const namedIn = (text: string) => {
      writeFileSync(file, text);
      const given: Record<string, string>[] = [{ OIDC_RULES: text }, { OIDC_RULES_FILE: file }];
      return given.map((variable) =>
        problemsOf({ ...usable, ...variable }).map((problem) => /^\w+/.exec(problem)?.[0]),
      );
    };
    expect(namedIn('[]')).toEqual([['OIDC_RULES'], ['OIDC_RULES_FILE']]);
    expect(namedIn('{"rules":7}')).toEqual([['OIDC_RULES'], ['OIDC_RULES_FILE']]);
  });

  test('requires at least one sign-in method', () => {
    expect(problemsOf({ PASSWORD_SIGN_IN: 'false' })).toEqual([
      'PASSWORD_SIGN_IN=false requires OIDC_ISSUER: otherwise no sign-in method is available',
    ]);
  });
});
