import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { demoPrincipalObjectId } from '../../packages/power-bi-emulator/demo-tenant.js';
import { EmulatorClient, type ApiResponse } from '../support/emulator-client.js';
import { answerOf, operations, type Example, type Json, type Operation } from './definition/definition.js';
import { faultsOf } from './definition/schemas.js';
import { parametersOf, worldOf } from './definition/world.js';

let emulator: EmulatorClient;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(() => emulator.reset());
afterAll(() => emulator.close());

/** Examples that contradict the definition or themselves, by operation and name. */
const defects: Record<string, { status?: number; add?: Json; why: string }> = {
  'POST /groups/{groupId}/datasets/{datasetId}/refreshes Example of refreshing one partition': {
    status: 202,
    why: 'returns 200, which the operation does not have',
  },
  "GET /admin/groups Get workspaces with their 'datasets' expanded example.": {
    add: { $top: 100 },
    why: 'leaves out $top, which is required',
  },
};

/** What is made up anew in every answer, or lies on Microsoft's hosts. */
const volatile = [
  'token',
  'tokenId',
  'expiration',
  'webUrl',
  'embedUrl',
  'createdDateTime',
  'lastActionDateTime',
];
/** What the emulator keeps no record of. */
const unmodelled = [
  'dataflowStorageId',
  'capacityMigrationStatus',
  'hasWorkspaceLevelSettings',
  'pipelineId',
  'dashboards',
  'workbooks',
  'isInPlaceSharingEnabled',
  'ContentProviderType',
  'encryption',
  'admins',
  'capacityUserAccessRight',
];

async function ask({ method, path, parameters }: Operation, values: Json): Promise<ApiResponse<unknown>> {
  const of = (place: string) =>
    parameters.filter((each) => each.in === place && values[each.name] !== undefined);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));
  const query = of('query').map(({ name }) => `${name}=${encoded(values[name])}`);
  const body = of('body').map(({ name }) => values[name])[0];
  return emulator.rest(method, `${filled}?${query.join('&')}`, body);
}

/** Some examples are written as they stand in an address, some are not. */
function encoded(value: unknown): string {
  return encodeURIComponent(decodeURIComponent(String(value)));
}

function faultsOfAnswer({ responses }: Operation, { status, body }: ApiResponse<unknown>): string[] {
  const schema = responses[status]?.schema;
  if (!responses[status]) return [`status ${status} is not in the definition`];
  return schema && schema.type !== 'file' ? faultsOf(schema, body) : [];
}

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => ![...volatile, ...unmodelled].includes(name));
  // The example of pages writes the order as a text, the schema and the wire have a number.
  const plain = (name: string, each: unknown) => (name === 'order' ? Number(each) : comparable(each));
  return Object.fromEntries(kept.map(([name, each]) => [name, plain(name, each)]));
}

/** Jobs have ids of their own: they are started before an example asks for them. */
async function started(operation: Operation, name: string, values: Json): Promise<Json> {
  const group = `/groups/${String(values.groupId)}`;
  const running = /in.progress/i.test(name);
  await emulator.set({ job_seconds: running ? 1000 : 0, jobs_fail: /failed/i.test(name) });
  if (operation.path.endsWith('/modified')) await travelTo(String(values.modifiedSince));
  if (operation.path.includes('/exports/')) {
    const path = `${group}/reports/${String(values.reportId)}/ExportTo`;
    return { exportId: (await emulator.post<{ id: string }>(path, { format: 'PPTX' })).body.id };
  }
  if (operation.path.includes('/scan')) {
    const workspaces = [values.groupId];
    const { body } = await emulator.post<{ id: string }>('/admin/workspaces/getInfo', { workspaces });
    return { scanId: body.id };
  }
  if (operation.path.includes('/refreshes') && operation.method !== 'POST') {
    const path = `${group}/datasets/${String(values.datasetId)}/refreshes`;
    const enhanced = operation.path.endsWith('{refreshId}') ? { type: 'Full' } : {};
    const { headers } = await emulator.post(path, enhanced);
    return { refreshId: headers.get('x-ms-request-id') };
  }
  return {};
}

/** To a time from which an example's own is an hour ago. */
async function travelTo(time: string): Promise<void> {
  const seconds = (Date.parse(time) - Date.now()) / 1000 + 3600;
  await emulator.control('POST', '/clock', { advance_seconds: seconds });
  await emulator.signIn();
}

async function replay(operation: Operation, name: string, example: Example) {
  const world = await emulator.control('POST', '/content', worldOf(operation, example));
  expect(world.status).toBe(200);
  const values = parametersOf(example);
  const defect = defects[`${operation.method} ${operation.path} ${name}`];
  const job = await started(operation, name, values);
  return { defect, response: await ask(operation, { ...values, ...job, ...defect?.add }) };
}

const withExamples = operations.filter(({ examples }) => examples.length > 0);

describe.each(withExamples.map((operation) => [operation.method, operation.path, operation] as const))(
  '%s %s',
  (_method, _path, operation) => {
    test.each(operation.examples.map(({ name, example }) => [name, example] as const))(
      'replays: %s',
      async (name, example) => {
        await emulator.set({ guesses: { principal_type_missing: 'user' } });
        const { defect, response } = await replay(operation, name, example);
        expect(response.status).toBe(defect?.status ?? answerOf(example).status);
        expect(faultsOfAnswer(operation, response)).toEqual([]);
      },
    );
  },
);

describe('the response of an example is the response of the emulator:', () => {
  const reads = operations.filter(
    ({ method, path }) => method === 'GET' && !/refreshes|exports|scan|modified/.test(path),
  );

  test.each(
    reads.flatMap((operation) =>
      operation.examples.map(({ name, example }) => [operation.path, name, operation, example] as const),
    ),
  )('%s: %s', async (_path, name, operation, example) => {
    const { response } = await replay(operation, name, example);
    const { value, ...rest } = comparable(response.body) as { value?: Json[] };
    // The caller is a user of every workspace, of which the examples know nothing.
    const others = value?.filter(({ identifier }) => identifier !== demoPrincipalObjectId);
    const got = { ...rest, ...(others && { value: others }) };
    expect(got).toMatchObject(comparable(answerOf(example).body) as object);
  });
});

describe('the requests of the examples', () => {
  test.each(
    operations.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'body')
        .flatMap(({ name, schema }) =>
          operation.examples.map(
            (each) => [operation.path, each.name, schema!, each.example.parameters[name]] as const,
          ),
        ),
    ),
  )('%s: %s', (_path, _name, schema, body) => {
    const texts = ['allowSaveAs', 'applyRefreshPolicy', 'type', 'commitMode'];
    const faults = faultsOf(schema, body).filter(
      (fault) => !texts.some((name) => fault.startsWith(`/${name} `)),
    );
    expect(faults).toEqual([]);
  });
});

describe('the demo tenant', () => {
  const lists = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));

  test.each(lists.map((operation) => [operation.path, operation] as const))(
    'returns valid responses of %s',
    async (_path, operation) => {
      const response = await ask(operation, { $top: 5000, $expand: 'users,reports,datasets,dashboards' });
      expect(response.status).toBe(200);
      expect(faultsOfAnswer(operation, response)).toEqual([]);
    },
  );

  test('returns valid responses for every route in every workspace', async () => {
    const { body } = await emulator.get<{ value: { id: string }[] }>('/groups');
    const inGroup = operations.filter(
      ({ method, path }) => method === 'GET' && /^\/groups\/\{groupId\}(\/\w+)?$/.test(path),
    );
    for (const { id } of body.value) {
      for (const operation of inGroup) {
        const response = await ask(operation, { groupId: id });
        expect([operation.path, response.status, faultsOfAnswer(operation, response)]).toEqual([
          operation.path,
          200,
          [],
        ]);
      }
    }
  });

  test('returns a valid scan result', async () => {
    await emulator.set({ job_seconds: 0 });
    const { id } = await emulator.workspace('Sales');
    const scan = await emulator.post<{ id: string }>('/admin/workspaces/getInfo', { workspaces: [id] });
    const operation = operations.find(({ path }) => path === '/admin/workspaces/scanResult/{scanId}')!;
    const response = await ask(operation, { scanId: scan.body.id });
    expect(faultsOfAnswer(operation, response)).toEqual([]);
  });
});
