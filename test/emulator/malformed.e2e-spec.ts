import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { demoTenant } from '@vitrine/power-bi-emulator';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { EmulatorClient } from '../support/emulator-client.js';

let emulator: EmulatorClient;
let report: string;
let dataset: string;
let group: string;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
  ({ id: report, datasetId: dataset, groupId: group } = await emulator.report('Sales', 'Pipeline'));
});
afterAll(() => emulator.close());

/** What a field of a body can contain besides what it should. */
const wrong: unknown[] = [{}, [null], [1], [[]], ['x'], 'x', 1, true, [{}]];

/** Fields whose values have a structure, by the call that reads them. */
const structured: [call: string, path: () => string, field: string, nested?: string][] = [
  ['ExportTo', () => `/groups/${group}/reports/${report}/ExportTo`, 'powerBIReportConfiguration', 'pages'],
  [
    'ExportTo',
    () => `/groups/${group}/reports/${report}/ExportTo`,
    'powerBIReportConfiguration',
    'identities',
  ],
  [
    'ExportTo',
    () => `/groups/${group}/reports/${report}/ExportTo`,
    'powerBIReportConfiguration',
    'defaultBookmark',
  ],
  ['ExportTo', () => `/groups/${group}/reports/${report}/ExportTo`, 'powerBIReportConfiguration'],
  ['GenerateToken', () => '/GenerateToken', 'reports'],
  ['GenerateToken', () => '/GenerateToken', 'datasets'],
  ['GenerateToken', () => '/GenerateToken', 'targetWorkspaces'],
  ['GenerateToken', () => '/GenerateToken', 'identities'],
  ['GenerateToken', () => '/GenerateToken', 'datasourceIdentities'],
  ['GenerateToken', () => '/GenerateToken', 'lifetimeInMinutes'],
  ['GenerateToken of a report', () => `/groups/${group}/reports/${report}/GenerateToken`, 'identities'],
  ['GenerateToken of a report', () => `/groups/${group}/reports/${report}/GenerateToken`, 'accessLevel'],
  ['AssignWorkspaces', () => '/admin/capacities/AssignWorkspaces', 'capacityMigrationAssignments'],
  ['UnassignWorkspaces', () => '/admin/capacities/UnassignWorkspaces', 'workspacesToUnassign'],
  ['getInfo', () => '/admin/workspaces/getInfo', 'workspaces'],
  [
    'UpdateParameters',
    () => `/groups/${group}/datasets/${dataset}/Default.UpdateParameters`,
    'updateDetails',
  ],
  ['executeQueries', () => `/groups/${group}/datasets/${dataset}/executeQueries`, 'queries'],
  ['executeQueries', () => `/groups/${group}/datasets/${dataset}/executeQueries`, 'serializerSettings'],
  ['refreshes', () => `/groups/${group}/datasets/${dataset}/refreshes`, 'objects'],
  ['Rebind', () => `/groups/${group}/reports/${report}/Rebind`, 'datasetId'],
  ['Clone', () => `/groups/${group}/reports/${report}/Clone`, 'name'],
  ['UpdateReportContent', () => `/groups/${group}/reports/${report}/UpdateReportContent`, 'sourceReport'],
  ['a new workspace', () => '/groups', 'name'],
  ['a member', () => `/groups/${group}/users`, 'identifier'],
  ['a user of a dataset', () => `/groups/${group}/datasets/${dataset}/users`, 'identifier'],
];

/** The rest of the body, so that the field is what is read. */
const rest = (): object => ({
  format: 'PDF',
  reports: [{ id: report }],
  datasets: [{ id: dataset }],
  accessLevel: 'View',
});

describe('a malformed field of a body', () => {
  test.each(structured)(
    'of %s, %#, is never an error of the emulator',
    // A last parameter that some rows lack would be Jest's `done`.
    async (_call, path, field, ...[nested]) => {
      for (const value of wrong) {
        const body = { ...rest(), [field]: nested === undefined ? value : { [nested]: value } };
        const { status } = await emulator.post(path(), body);
        expect({ value, isError: status >= 500 }).toEqual({ value, isError: false });
      }
    },
  );

  test.each([
    ['pages', { powerBIReportConfiguration: { pages: {} } }],
    ['pages', { powerBIReportConfiguration: { pages: [null] } }],
    ['identities', { powerBIReportConfiguration: { identities: [null] } }],
    [
      'identities.datasets',
      { powerBIReportConfiguration: { identities: [{ username: 'ada', datasets: {} }] } },
    ],
  ])('is named: %s, %#', async (name, more) => {
    expect(
      await emulator.post(`/groups/${group}/reports/${report}/ExportTo`, { format: 'PDF', ...more }),
    ).toMatchObject({
      status: 400,
      body: { error: { code: 'InvalidRequest', message: `Parameter ${name} is missing or invalid` } },
    });
  });
});

describe('a malformed query', () => {
  const token = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  test.each([
    ['null', token(null)],
    ['a number', token(1)],
    ['a filter that is no text', token({ start: 0, end: 1, offset: 0, filter: {} })],
    ['a negative offset', token({ start: 0, end: 1, offset: -1 })],
    ['no JSON', 'x'],
  ])('continuationToken with %s: 400', async (_name, value) => {
    expect((await emulator.get(`/admin/activityevents?continuationToken='${value}'`)).status).toBe(400);
  });

  test.each([
    ['parentheses', '('.repeat(15_000)],
    ['negations', 'not '.repeat(15_000)],
    ['functions', 'tolower('.repeat(15_000)],
  ])('$filter nested in %s: 400', async (_name, filter) => {
    const path = `/admin/groups?$top=1&$filter=${encodeURIComponent(filter)}`;
    expect([400, 431]).toContain((await emulator.get(path)).status);
    const short = `/admin/groups?$top=1&$filter=${encodeURIComponent(filter.slice(0, 4000))}`;
    expect((await emulator.get(short)).status).toBe(400);
  });

  test.each([
    ['parentheses', `EVALUATE ROW("a", ${'('.repeat(15_000)}`],
    ['signs', `EVALUATE ROW("a", ${'- '.repeat(15_000)}`],
    ['tables', `EVALUATE ${'FILTER('.repeat(15_000)}`],
  ])('DAX nested in %s: 400', async (_name, query) => {
    const path = `/groups/${group}/datasets/${dataset}/executeQueries`;
    expect((await emulator.post(path, { queries: [{ query }] })).status).toBe(400);
  });
});

describe('Entra', () => {
  const tokenPath = `/${demoTenant.tenantId}/oauth2/v2.0/token`;

  test.each([
    ['numbers', { grant_type: 'client_credentials', client_id: 1, client_secret: 2, scope: 3 }],
    ['lists', { grant_type: ['client_credentials'], client_id: [demoTenant.clientId] }],
    ['a list', []],
    ['a text', 'x'],
  ])('a token request with %s: 400', async (_name, body) => {
    const { status, body: error } = await emulator.send('POST', tokenPath, body);
    expect([status, (error as { error: string }).error]).toEqual([400, expect.any(String)]);
  });

  test('device codes: empty and repeated parameters', async () => {
    const path = `/${demoTenant.tenantId}/oauth2/devicecode?client_id=a&client_id=b`;
    expect((await emulator.send('POST', path, new URLSearchParams())).status).toBe(400);
    expect((await emulator.send('POST', '/devicelogin')).status).toBe(400);
    expect((await emulator.send('POST', '/devicelogin', { user_code: 1, username: 2 })).status).toBe(400);
    expect((await emulator.send('GET', '/devicelogin?user_code=a&user_code=b')).status).toBe(200);
  });
});

describe('the control API', () => {
  test.each([
    ['/device-codes', { user_code: 1 }, 'user_code must be a text'],
    ['/device-codes', { user_code: 'x', username: 1 }, 'username must be a text'],
    ['/content', { workspaces: [null] }, expect.stringContaining('content must be')],
    ['/content', { workspaces: [{ reports: [1] }] }, expect.stringContaining('content must be')],
    ['/clock', { advance_seconds: 1e15 }, expect.stringContaining('advance_seconds must be between')],
    ['/capacities', [1], expect.stringContaining('state')],
    ['/labels', 1, expect.stringContaining('label')],
    ['/faults', null, expect.any(String)],
    ['/certificates', [null], expect.any(String)],
  ])('POST %s %j: 400', async (path, body, message) => {
    expect(await emulator.control('POST', path, body)).toMatchObject({ status: 400, body: { message } });
  });
});

test('a reset restores the content of the start', async () => {
  const content = { workspaces: [{ name: 'Own', members: [], reports: [{ name: 'First' }] }] };
  const own = await EmulatorClient.start({ content });
  try {
    await own.control('POST', '/content', { workspaces: [] });
    await own.reset();
    const before = (await own.control('GET', '/content')).body;
    const [workspace] = (before as { workspaces: { id: string }[] }).workspaces;
    await own.rest('POST', `/admin/groups/${workspace?.id}/users`, {
      identifier: 'ada@vitrine.example',
      principalType: 'User',
      groupUserAccessRight: 'Admin',
    });
    expect((await own.control('GET', '/content')).body).not.toEqual(before);
    await own.reset();
    expect((await own.control('GET', '/content')).body).toEqual(before);
    expect(content.workspaces[0]?.members).toEqual([]);
  } finally {
    await own.close();
  }
});

describe('the command line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'emulator-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test.each<[string, () => string[], RegExp]>([
    ['a port that is no number', () => ['--port', 'abc'], /^--port must be a number from 0 to 65535/],
    ['a port that is too large', () => ['--port', '70000'], /^--port must be a number from 0 to 65535/],
    ['an unknown option', () => ['--prot', '1'], /--prot/],
    ['content that does not exist', () => ['--content', join(folder, 'none.json')], /none\.json/],
    ['content that is no JSON', () => ['--content', file('text.json', '{')], /text\.json: /],
    ['content that is no seed', () => ['--content', file('seed.json', '[]')], /seed\.json: content must be/],
    ['a key without a certificate', () => ['--tls-key', file('key.pem', 'x')], /--tls-cert/],
    [
      'a key that is none',
      () => ['--tls-key', file('key.pem', 'x'), '--tls-cert', file('cert.pem', 'x')],
      /key\.pem/,
    ],
    [
      'a folder for certificates that cannot be created',
      () => ['--real-names', '--port', '0', '--ca-folder', join(file('plain.txt', 'x'), 'ca')],
      /plain\.txt.* cannot be used \(ENOTDIR\)\. Set .*--ca-folder/,
    ],
  ])('%s is explained in one line', async (_name, options, message) => {
    const program = ['--no-warnings', 'dist/packages/power-bi-emulator/main.js', ...options()];
    const failed = await promisify(execFile)(process.execPath, program, { timeout: 15_000 }).then(
      () => undefined,
      (error: { code: number; stderr: string }) => error,
    );
    expect(failed?.code).toBe(1);
    expect(failed?.stderr).toMatch(message);
    expect(failed?.stderr.trim().split('\n')).toHaveLength(1);
  });
});
