import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoWorkspaces } from '@vitrine/power-bi-emulator';
import { EmulatorClient, type Named } from '../support/emulator-client.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

async function names(path: string): Promise<string[]> {
  const { body } = await emulator.get<{ value: Named[] }>(path);
  return body.value.map(({ name }) => name);
}

test('the demo is described in the words of its readers', () => {
  const texts = demoWorkspaces
    .flatMap(({ description, reports }) => [description, ...reports.map((report) => report.description)])
    .filter((text) => /identity|role|token|embed|principal|capacity/i.test(text ?? ''));
  expect(texts).toEqual([]);
});

describe('the bearer check', () => {
  test('returns 403 with an empty body without a token', async () => {
    const { status, headers, text } = await emulator.get('/groups', { Authorization: '' });
    expect([status, headers.get('content-length'), text]).toEqual([403, '0', '']);
  });

  test('returns 403 InvalidToken for a malformed token', async () => {
    const { status, headers } = await emulator.get('/groups', { Authorization: 'Bearer x.y.z' });
    expect([status, headers.get('x-powerbi-error-info')]).toEqual([403, 'InvalidToken']);
  });

  test('reports that the tenant switch is off', async () => {
    await emulator.set({ tenant_switch: false });
    const { status, headers } = await emulator.get('/groups');
    expect(status).toBe(401);
    expect(headers.get('x-powerbi-error-info')).toBe('ServicePrincipalIsNotAllowedByTenantAdminSwitch');
    await emulator.set({ guesses: { tenant_switch_off: '403_body' } });
    expect(await emulator.get('/groups')).toMatchObject({
      status: 403,
      body: { Message: 'API is not accessible for application' },
    });
  });
});

describe('GET /groups', () => {
  test('lists the workspaces in which the principal has a role', async () => {
    expect(await names('/groups')).toEqual([
      'Sales',
      'Finance',
      'Operations',
      'People',
      'Trials',
      'Partners',
      'New region',
    ]);
  });

  test('adds a request id and a date to every response, and wraps lists as OData does', async () => {
    const { headers, body } = await emulator.get<{ value: Named[] }>('/groups');
    expect(headers.get('requestid')).toMatch(/^[0-9a-f-]{36}$/);
    expect(Math.abs(Date.parse(headers.get('date')!) - Date.now())).toBeLessThan(5000);
    expect(body).toMatchObject({ '@odata.context': expect.stringMatching(/^http:.*\$metadata#groups$/) });
    expect(body.value.find(({ name }) => name === 'Trials')).not.toHaveProperty('capacityId');
    expect(body.value[0]).toMatchObject({
      isOnDedicatedCapacity: true,
      isReadOnly: false,
      type: 'Workspace',
    });
  });

  test('pages by $top and $skip', async () => {
    expect(await names('/groups?$top=2&$skip=1')).toEqual(['Finance', 'Operations']);
    expect(await names('/groups?$skip=100')).toEqual([]);
    expect((await emulator.get('/groups?$top=-1')).status).toBe(400);
  });

  test.each([
    ["contains(name,'marketing') or name eq 'sales'", ['Sales']],
    ["startswith(name,'P') and not (name eq 'People')", ['Partners']],
    ['isOnDedicatedCapacity eq false', ['Trials']],
    ["tolower(name) eq 'sales'", ['Sales']],
    ["contains(tolower(name),'LE')", ['Sales', 'People']],
    ["name ge 'sales' and name lt 'T'", ['Sales']],
    ["capacityId eq d0000001-0000-4000-8000-000000000000 and startswith(name,'f')", ['Finance']],
    ["name ne 'Sales' and (name eq 'Finance' or endswith(name,'region'))", ['Finance', 'New region']],
  ])('filters by %s', async (filter, expected) => {
    expect(await names(`/groups?$filter=${encodeURIComponent(filter)}`)).toEqual(expected);
  });

  test('rejects an invalid filter', async () => {
    for (const filter of [
      "name like 'x'",
      'name eq',
      "contains(name,'x'",
      "name eq 'x' nor",
      'upper(name) eq 1',
    ]) {
      const response = await emulator.get(`/groups?$filter=${encodeURIComponent(filter)}`);
      expect(response).toMatchObject({ status: 400, body: { error: { code: 'InvalidRequest' } } });
    }
  });
});

describe('a $filter by a field that does not exist', () => {
  test.each([
    ['/groups', "nam eq 'Sales'"],
    ['/groups', "contains(tolower(title),'x')"],
    ['/groups', "name eq 'Sales' or nam eq 'x'"],
    ['/admin/groups?$top=1&', "users/any(u: u/right eq 'Admin')"],
    ['/admin/reports', 'views gt 1'],
  ])('is a 400: %s %s', async (path, filter) => {
    const query = `$filter=${encodeURIComponent(filter)}`;
    const { status, text } = await emulator.get(`${path}${path.includes('?') ? '' : '?'}${query}`);
    expect([status, text]).toEqual([400, expect.stringContaining('Could not find a property named')]);
  });

  test('but a field that no item has at the moment is not', async () => {
    const filter = encodeURIComponent('dataflowStorageId eq null');
    expect((await emulator.get(`/groups?$filter=${filter}`)).status).toBe(200);
    const users = encodeURIComponent("users/any(u: u/graphId eq 'x')");
    expect((await emulator.get(`/admin/groups?$top=1&$filter=${users}`)).status).toBe(200);
  });
});

describe('GET /groups/{id}', () => {
  test('compares ids case-insensitively', async () => {
    const { id } = await emulator.workspace('Sales');
    expect((await emulator.get(`/groups/${id.toUpperCase()}`)).body).toMatchObject({ id, name: 'Sales' });
  });

  test('returns 401 without a role, 404 for an unknown and 400 for an invalid id', async () => {
    expect(await emulator.get('/groups/a0000008-0000-4000-8000-000000000000')).toMatchObject({
      status: 401,
      body: {
        error: {
          code: 'PowerBINotAuthorizedException',
          'pbi.error': { code: 'PowerBINotAuthorizedException', exceptionCulprit: 1 },
        },
      },
    });
    const unknown = await emulator.get(`/groups/${crypto.randomUUID()}`);
    expect(unknown).toMatchObject({ status: 404, body: { error: { code: 'PowerBIEntityNotFound' } } });
    expect((await emulator.get('/groups/x')).status).toBe(400);
  });

  test('returns 401 GroupNotAccessible for a personal workspace', async () => {
    const { status, headers } = await emulator.get('/groups/a0000009-0000-4000-8000-000000000000');
    expect([status, headers.get('x-powerbi-error-info')]).toEqual([401, 'GroupNotAccessible']);
  });
});

describe('reports', () => {
  test('have an embed URL of the emulator, by kind of report', async () => {
    const report = await emulator.report('Sales', 'Revenue overview');
    expect(report.embedUrl).toContain(
      `${emulator.url}/reportEmbed?reportId=${report.id}&groupId=${report.groupId}`,
    );
    expect(report).toMatchObject({ reportType: 'PowerBIReport', users: [], isFromPbix: true });
    const paginated = await emulator.report('Finance', 'Invoice register');
    expect(paginated.embedUrl).toContain('/rdlEmbed?');
    expect(paginated).not.toHaveProperty('datasetId');
  });

  test('have an embed URL of another host when it is set', async () => {
    await emulator.set({ embed_url_base: 'https://app.powerbi.com' });
    const { embedUrl } = await emulator.report('Sales', 'Pipeline');
    expect(embedUrl).toMatch(/^https:\/\/app\.powerbi\.com\/reportEmbed\?/);
  });

  test('can be read individually, in their own workspace only', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Pipeline');
    expect((await emulator.get(`/groups/${groupId}/reports/${id}`)).body).toMatchObject({
      id,
      name: 'Pipeline',
    });
    const other = await emulator.workspace('Finance');
    expect((await emulator.get(`/groups/${other.id}/reports/${id}`)).status).toBe(404);
  });

  test('have pages', async () => {
    const { id, groupId } = await emulator.report('Sales', 'Revenue overview');
    expect((await emulator.get(`/groups/${groupId}/reports/${id}/pages`)).body).toMatchObject({
      value: [
        { name: 'ReportSection', displayName: 'Overview', order: 0 },
        { name: 'ReportSection1', displayName: 'Products', order: 1 },
      ],
    });
  });
});

describe('datasets', () => {
  test('state whether they require an identity and roles', async () => {
    const flags = async (name: string) => {
      const dataset = await emulator.dataset('Sales', name);
      return [dataset.isEffectiveIdentityRequired, dataset.isEffectiveIdentityRolesRequired];
    };
    expect(await flags('Sales')).toEqual([false, false]);
    expect(await flags('Sales by representative')).toEqual([true, false]);
    expect(await flags('Sales by region')).toEqual([true, true]);
  });

  test('hide all but id and name from a Viewer', async () => {
    const dataset = await emulator.dataset('Partners', 'Partner sales');
    expect(Object.keys(dataset)).toEqual(['id', 'name']);
    const { body } = await emulator.get(`/datasets/${dataset.id}`);
    expect(Object.keys(body)).toEqual(['@odata.context', 'id', 'name']);
  });

  test('can be read with and without their workspace', async () => {
    const { id } = await emulator.dataset('Sales', 'Sales');
    const group = await emulator.workspace('Sales');
    expect((await emulator.get(`/groups/${group.id}/datasets/${id}`)).body).toMatchObject({ id });
    expect((await emulator.get(`/datasets/${id}`)).body).toMatchObject({ id, isRefreshable: true });
    expect((await emulator.get('/datasets/c0000008-0000-4000-8000-000000000001')).status).toBe(401);
  });
});
