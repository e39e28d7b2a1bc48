import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { guesses, type GuessName } from '../../packages/power-bi-emulator/core/guesses.js';
import { liveCheck, report } from '../../packages/power-bi-emulator/live-check/live-check.js';
import { credentialsFrom } from '../../packages/power-bi-emulator/live-check/tenant.js';
import { EmulatorClient } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
afterAll(() => emulator.close());
beforeEach(() => emulator.reset());

const board = 'a0000008-0000-4000-8000-000000000000';
const environment = () => ({
  POWERBI_API_URL: emulator.url,
  POWERBI_AUTHORITY_URL: emulator.url,
  POWERBI_TENANT_ID: demoTenant.tenantId,
  POWERBI_CLIENT_ID: demoTenant.clientId,
  POWERBI_CLIENT_SECRET: demoTenant.clientSecret,
  LIVE_CHECK_FOREIGN_WORKSPACE_ID: board,
});
const check = () => liveCheck(credentialsFrom(environment()));

const tried: GuessName[] = [
  'missing_bearer',
  'malformed_bearer',
  'no_workspace_role',
  'not_found',
  'odata_context',
  'report_extras',
  'group_type',
  'embed_url_config',
  'rls_identity_missing',
  'rls_roles_missing',
  'rls_identity_needless',
  'rls_role_unknown',
  'v1_multiple_identities',
  'missing_content_type',
  'report_without_dataset',
  'negative_lifetime',
  'excessive_lifetime',
  'empty_token_request',
  'embed_token_tail',
  'invalid_id',
  'target_storage_mode',
  'entra_error_numbers',
  'access_token_version',
  'profile_refused',
  'admin_groups_count',
  'token_endpoint_statuses',
  'v1_token_numbers',
];

/** The variables of the command in the guide. */
const [, command = ''] =
  /^(.*) npm run power-bi:live-check$/m.exec(readFileSync('docs/production.md', 'utf8')) ?? [];
const documented = [...command.matchAll(/([A-Z_]+)='?(<[^>]+>)/g)].map(([, name, value]) => [name, value]);

describe('the live check', () => {
  test('finds no difference in the emulator itself, and checks every guess', async () => {
    const findings = await check();
    expect(findings.map(({ guess }) => guess)).toEqual(Object.keys(guesses));
    expect(findings.filter(({ outcome }) => outcome === 'differs')).toEqual([]);
    const same = findings.filter(({ outcome }) => outcome === 'same').map(({ guess }) => guess);
    expect(same).toEqual(expect.arrayContaining(tried));
  });

  test.each(tried)('reports exactly the difference in %s', async (name) => {
    const [usual, other] = guesses[name].values;
    await emulator.set({ guesses: { [name]: other } });
    const differing = (await check()).filter(({ outcome }) => outcome === 'differs');
    expect(differing).toEqual([{ guess: name, outcome: 'differs', emulator: usual, tenant: other }]);
  });

  test('prints no secrets, tokens or ids', async () => {
    await emulator.set({ guesses: { not_found: '401' } });
    const text = report(await check());
    expect(text).toContain('differs      not_found: emulator 404, tenant 401');
    expect(text).not.toContain(demoTenant.clientSecret);
    expect(text).not.toMatch(/eyJ|H4sI|[0-9a-f]{8}-[0-9a-f]{4}-/);
  });

  test('names missing credentials, none with the documented command, and reports rejected ones', async () => {
    expect(() => credentialsFrom({ POWERBI_TENANT_ID: 'x' })).toThrow(
      'Set POWERBI_CLIENT_ID, POWERBI_CLIENT_SECRET.',
    );
    expect(() => credentialsFrom(Object.fromEntries(documented))).not.toThrow();
    const wrong = { ...environment(), POWERBI_CLIENT_SECRET: 'wrong' };
    await expect(liveCheck(credentialsFrom(wrong))).rejects.toThrow('invalid_client');
  });
});
