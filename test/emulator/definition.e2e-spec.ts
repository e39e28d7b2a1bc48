import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { demoPrincipalObjectId, idOf } from '@vitrine/power-bi-emulator';
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
  'POST /datasets/{datasetId}/refreshes Example of refreshing one partition': {
    status: 202,
    why: 'returns 200, which the operation does not have',
  },
  'PATCH /datasets/{datasetId}/directQueryRefreshSchedule Disable a scheduled refresh example': {
    status: 400,
    why: 'has a property of the other kind of schedule',
  },
  ...withTop('GET /admin/capacities/refreshables Example'),
  ...withTop(
    "GET /admin/capacities/refreshables Get refreshables with their 'capacity' and 'group' expanded example",
  ),
  ...withTop(
    'GET /admin/capacities/refreshables Get refreshables, filtering for an average refresh duration of greater than 30 minutes example.',
  ),
  'POST /groups/{groupId}/datasets/{datasetId}/refreshes Example of refreshing one partition': {
    status: 202,
    why: 'returns 200, which the operation does not have',
  },
  ...withTop("GET /admin/groups Get workspaces with their 'datasets' expanded example."),
};

function withTop(example: string): typeof defects {
  return { [example]: { add: { $top: 100 }, why: 'leaves out $top, which is required' } };
}

/** What is made up anew in every answer, or lies on Microsoft's hosts. */
const volatile = [
  '@odata.context',
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
  'workbooks',
  'isInPlaceSharingEnabled',
  'ContentProviderType',
  'encryption',
  'tenantKey',
  'continuationUri',
  'continuationToken',
];
/** Examples of features that the emulator does not have, or whose times are those of a job. */
const unlike =
  /refreshes|refreshables|exports|scan|modified|unused|artifactAccess|ubscriptions|widelyShared|Workloads|CapacityAssignmentStatus|availableFeatures|imports/;
/** Contains events that its own filter excludes; and the second page of a log. */
const impossible = /specific activity type and user ID|next set/;

async function ask({ method, path, parameters }: Operation, values: Json): Promise<ApiResponse<unknown>> {
  const of = (place: string) =>
    parameters.filter((each) => each.in === place && values[each.name] !== undefined);
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(values[name]));
  const query = of('query').map(({ name }) => `${name}=${encoded(values[name])}`);
  const body = of('body').map(({ name }) => values[name])[0];
  // The examples write the multipart body of an import as a text.
  return emulator.rest(
    method,
    `${filled}?${query.join('&')}`,
    method === 'POST' && path.endsWith('/imports') ? fileBody() : body,
  );
}

function fileBody(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['PK']), 'report.pbix');
  return form;
}

function validExamples({ method, path, examples }: Operation): Operation['examples'] {
  return examples.filter(({ name }) => defects[`${method} ${path} ${name}`]?.status !== 400);
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
  const group = operation.path.startsWith('/groups/') ? `/groups/${String(values.groupId)}` : '';
  const running = /in.progress/i.test(name);
  await emulator.set({ job_seconds: running ? 1000 : 0, jobs_fail: /failed/i.test(name) });
  if (operation.path.endsWith('/modified')) await travelTo(String(values.modifiedSince));
  if (operation.path.includes('/exports/')) {
    const path = `${group}/reports/${String(values.reportId)}/ExportTo`;
    return { exportId: (await emulator.post<{ id: string }>(path, { format: 'PPTX' })).body.id };
  }
  if (values.continuationToken) {
    await emulator.set({ activity_page_size: 1 });
    const first = await emulator.get(
      "/admin/activityevents?startDateTime='2019-08-13T00:00Z'&endDateTime='2019-08-13T23:59Z'",
    );
    return { continuationToken: first.body.continuationToken };
  }
  if (operation.path.endsWith('{importId}')) {
    const path = `${group}/imports?datasetDisplayName=SalesMarketing.pbix`;
    return { importId: (await emulator.post<{ id: string }>(path, fileBody())).body.id };
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
  await emulator.advance(seconds);
  await emulator.signIn();
}

/** The examples are calls of a user. */
const lenient = {
  principal_type_missing: 'user',
  my_workspace_of_principal: 'personal_workspace',
  apps_of_principal: 'served',
} as const;

/** Query parameters of a list. */
async function valuesFor(path: string): Promise<Json> {
  if (path === '/admin/dashboards') return { $expand: 'tiles' };
  if (path !== '/admin/activityevents') return { $expand: 'users,reports,datasets,dashboards' };
  const day = (await emulator.control<{ now: string }>('GET', '/')).body.now.slice(0, 10);
  return { startDateTime: `'${day}T00:00:00Z'`, endDateTime: `'${day}T23:59:59Z'` };
}

async function replay(operation: Operation, name: string, example: Example) {
  await emulator.set({ guesses: lenient });
  const world = await emulator.control('POST', '/content', worldOf(operation, example));
  expect(world.status).toBe(200);
  const values = { ...(operation.path.endsWith('/refreshables') && { $top: 100 }), ...parametersOf(example) };
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
        const { defect, response } = await replay(operation, name, example);
        expect(response.status).toBe(defect?.status ?? answerOf(example).status);
        // The definition has no error responses.
        expect(response.status === 400 ? [] : faultsOfAnswer(operation, response)).toEqual([]);
      },
    );
  },
);

describe('the response of an example is the response of the emulator:', () => {
  const reads = operations.filter(({ method, path }) => method === 'GET' && !unlike.test(path));

  test.each(
    reads.flatMap((operation) =>
      operation.examples
        .filter(({ name }) => !impossible.test(name))
        .map(({ name, example }) => [operation.path, name, operation, example] as const),
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
  // The examples of imports have a text in the place of the multipart body.
  const described = operations.filter(({ path }) => !path.endsWith('/imports'));

  test.each(
    described.flatMap((operation) =>
      operation.parameters
        .filter((parameter) => parameter.in === 'body')
        .flatMap(({ name, schema }) =>
          validExamples(operation).map(
            (each) => [operation.path, each.name, schema!, each.example.parameters[name]] as const,
          ),
        ),
    ),
  )('%s: %s', (_path, _name, schema, body) => {
    const texts = ['allowSaveAs', 'applyRefreshPolicy', 'type', 'commitMode', 'maxMemoryPercentageSetByUser'];
    const faults = faultsOf(schema, body).filter(
      // The id of a workspace that is updated is in the path.
      (fault) => !texts.some((name) => fault.startsWith(`/${name} `)) && !fault.includes("property 'id'"),
    );
    expect(faults).toEqual([]);
  });
});

describe('the demo tenant', () => {
  beforeEach(() => emulator.set({ guesses: { my_workspace_of_principal: 'personal_workspace' } }));

  const lists = operations.filter(({ method, path }) => method === 'GET' && !path.includes('{'));

  test.each(lists.map((operation) => [operation.path, operation] as const))(
    'returns valid responses of %s',
    async (_path, operation) => {
      await emulator.set({ guesses: lenient });
      const response = await ask(operation, { $top: 5000, ...(await valuesFor(operation.path)) });
      expect(response.status).toBe(200);
      expect(faultsOfAnswer(operation, response)).toEqual([]);
    },
  );

  type Item = Record<string, string> & { id: string };
  const first = async (path: string): Promise<Item> => (await emulator.list<Item>(path))[0] ?? { id: '' };

  interface Content {
    workspaces: { id: string; type: string; datasets: object[]; [property: string]: unknown }[];
  }

  /** The demo content; the personal workspace contains what Sales does, and a DirectQuery dataset on request. */
  async function fillPersonalWorkspace(isDirectQuery: boolean): Promise<void> {
    const { body: content } = await emulator.control<Content>('GET', '/content');
    const sales = content.workspaces.find(({ id }) => id === idOf('workspace', 1));
    const workspaces = content.workspaces.map((each) => {
      const own = each.type === 'PersonalGroup' && sales;
      const { datasets, reports, capacityId } = own ? structuredClone(sales) : each;
      const [dataset, ...others] = datasets;
      const direct = isDirectQuery && dataset ? [{ ...dataset, directQuery: true }, ...others] : datasets;
      return { ...each, datasets: direct, reports, capacityId };
    });
    await emulator.control('POST', '/content', { ...content, workspaces });
  }

  /** Ids of the demo content: of the workspace Sales, or of the personal workspace for routes without a workspace. */
  async function demoIds(path: string): Promise<Json> {
    const isDirectQuery = path.includes('directQueryRefreshSchedule');
    await fillPersonalWorkspace(isDirectQuery);
    const group = idOf('workspace', 1);
    const isPersonal = /^\/(dashboards|datasets|reports|imports)\b/.test(path);
    const within = isPersonal ? '' : `/groups/${group}`;
    const workspace = isPersonal ? 9 : 1;
    const datasets = await emulator.list<Item>(`${within}/datasets`);
    const reports = await emulator.list<Item>(`${within}/reports`);
    const wanted = path.endsWith('/datasources') ? 'PaginatedReport' : 'PowerBIReport';
    const report = reports.find(({ reportType }) => reportType === wanted) ?? reports[0];
    return {
      groupId: group,
      appId: '90000001-0000-4000-8000-000000000000',
      reportId: report?.id,
      pageName: path.includes('pages') && (await first(`${within}/reports/${report?.id}/pages`)).name,
      datasetId: datasets[0]?.id,
      dashboardId: `e000000${workspace}-0000-4000-8000-000000000001`,
      tileId: `f000000${workspace}-0000-4000-8000-000000001001`,
      capacityId: (await first('/capacities')).id,
      refreshableId: (await first('/admin/capacities/refreshables?$top=1')).id,
      workloadName: 'Dataflows',
      featureName: 'embedTrial',
      profileId:
        path.includes('profile') && (await emulator.post('/profiles', { displayName: 'Own' })).body.id,
      $top: path.endsWith('/refreshables') ? 100 : undefined,
    };
  }

  const items = operations.filter(({ method, path }) => method === 'GET' && path.includes('{'));

  test.each(items.map((operation) => [operation.path, operation] as const))(
    'returns a valid response of %s',
    async (path, operation) => {
      await emulator.set({ guesses: lenient });
      const ids = await demoIds(path);
      const job = await started(operation, '', ids);
      const response = await ask(operation, { ...ids, ...job });
      expect([response.status, faultsOfAnswer(operation, response)]).toEqual([200, []]);
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
