import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { guesses, type GuessName } from '../../packages/power-bi-emulator/core/guesses.js';
import { EmulatorClient, type ApiResponse, type EmbedToken } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

describe('GET /__emulator/guesses', () => {
  test('lists each guess with its source, its certainty and its possible values', async () => {
    const { body } = await emulator.control<{ guesses: object[] }>('GET', '/guesses');
    expect(body.guesses).toHaveLength(Object.keys(guesses).length);
    expect(body.guesses).toContainEqual({ name: 'not_found', value: '404', ...guesses.not_found });
  });

  test('lists no guess without effect', () => {
    const root = join(import.meta.dirname, '../../packages/power-bi-emulator');
    const sources = globSync('**/*.ts', { cwd: root }).map((file) => readFileSync(join(root, file), 'utf8'));
    const code = sources.join('\n');
    const unused = Object.keys(guesses).filter((name) => !code.includes(`guess('${name}')`));
    expect(unused).toEqual([]);
  });

  test('is listed completely in the README', () => {
    const readme = readFileSync(
      join(import.meta.dirname, '../../packages/power-bi-emulator/README.md'),
      'utf8',
    );
    expect(Object.keys(guesses).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });
});

describe('a guess can be corrected:', () => {
  const other = '/groups/a0000008-0000-4000-8000-000000000000';
  const personal = '/groups/a0000009-0000-4000-8000-000000000000';
  const missing = `/groups/${crypto.randomUUID()}`;
  const none = { Authorization: '' };
  const garbled = { Authorization: 'Bearer x' };

  test.each<[GuessName, string, () => Promise<ApiResponse<unknown>>, number]>([
    ['missing_bearer', '401', () => emulator.get('/groups', none), 401],
    ['malformed_bearer', '401', () => emulator.get('/groups', garbled), 401],
    ['no_workspace_role', '404', () => emulator.get(other), 404],
    ['not_found', '401', () => emulator.get(missing), 401],
    ['personal_workspace', '404', () => emulator.get(personal), 404],
    ['invalid_id', '404', () => emulator.get('/groups/x'), 404],
    ['conditional_access', 'challenge', () => emulator.get('/groups'), 401],
    ['empty_token_request', 'issued', () => emulator.post('/GenerateToken', {}), 200],
    ['token_endpoint_statuses', 'always_400', () => emulator.askEntra({ client_secret: 'x' }), 400],
    ['profile_refused', '401', () => emulator.get('/groups', { 'X-PowerBI-Profile-Id': 'x' }), 401],
  ])('%s to %s', async (name, value, ask, status) => {
    expect((await ask()).status).not.toBe(status);
    await emulator.set({ guesses: { [name]: value } });
    expect((await ask()).status).toBe(status);
  });

  const [customers, region, plain] = ['My customers', 'My region', 'Pipeline'];
  test.each<[GuessName, string, string, object, number]>([
    ['rls_identity_missing', 'issued', customers, {}, 200],
    ['rls_roles_missing', 'issued', region, { username: 'ada' }, 200],
    ['rls_identity_needless', 'issued', plain, { username: 'ada' }, 200],
    ['rls_role_unknown', '400', region, { username: 'ada', roles: ['Nowhere'] }, 400],
    ['excessive_lifetime', '400', plain, { lifetimeInMinutes: 600 }, 400],
    ['negative_lifetime', 'default', plain, { lifetimeInMinutes: -1 }, 200],
  ])('%s to %s', async (name, value, reportName, more, status) => {
    const report = await emulator.report('Sales', reportName);
    const identities = 'username' in more ? [{ ...more, datasets: [report.datasetId] }] : undefined;
    const ask = () =>
      emulator.post('/GenerateToken', {
        reports: [{ id: report.id }],
        datasets: [{ id: report.datasetId }],
        identities,
        ...(identities ? {} : more),
      });
    expect((await ask()).status).not.toBe(status);
    await emulator.set({ guesses: { [name]: value } });
    expect((await ask()).status).toBe(status);
  });

  test('expired_bearer to a header alone', async () => {
    await emulator.set({ guesses: { expired_bearer: '403_header' } });
    await emulator.advance(4000);
    const { status, headers, text } = await emulator.get('/groups');
    expect([status, headers.get('x-powerbi-error-info'), text]).toEqual([403, 'TokenExpired', '']);
  });

  test('the fields beyond the definition', async () => {
    await emulator.set({
      guesses: {
        odata_context: 'absent',
        group_type: 'absent',
        report_extras: 'absent',
        embed_url_config: 'absent',
      },
    });
    const { body } = await emulator.get('/groups?$top=1');
    expect(Object.keys(body)).toEqual(['value']);
    expect(await emulator.workspace('Sales')).not.toHaveProperty('type');
    const report = await emulator.report('Sales', 'Pipeline');
    expect(report).not.toHaveProperty('users');
    expect(report.embedUrl).not.toContain('config=');
  });

  test('the format of the token', async () => {
    await emulator.set({ guesses: { embed_token_tail: 'older', access_token_version: '2.0' } });
    await emulator.signIn();
    const { id, datasetId } = await emulator.report('Sales', 'Pipeline');
    const request = { reports: [{ id }], datasets: [{ id: datasetId }] };
    const { body } = await emulator.post<EmbedToken>('/GenerateToken', request);
    expect(JSON.parse(Buffer.from(body.token.split('.')[1]!, 'base64').toString())).toEqual({
      clusterUrl: emulator.url,
      embedFeatures: { modernEmbed: false },
    });
  });
});
