import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { EmulatorClient, type Named } from '../support/emulator-client.js';

interface Import {
  id: string;
  importState: string;
  reports: Named[];
  datasets: Named[];
}

let emulator: EmulatorClient;
let group: string;

beforeAll(async () => {
  emulator = await EmulatorClient.start();
});
beforeEach(async () => {
  await emulator.reset();
  group = `/groups/${(await emulator.workspace('New region')).id}`;
});
afterAll(() => emulator.close());

function file(): FormData {
  const form = new FormData();
  form.set('file', new Blob(['PK…']), 'report.pbix');
  return form;
}

function post(name: string, more = '', body: unknown = file()) {
  const query = `datasetDisplayName=${encodeURIComponent(name)}${more}`;
  return emulator.post<{ id: string }>(`${group}/imports?${query}`, body);
}

async function read(id: string): Promise<Import> {
  return (await emulator.get<Import>(`${group}/imports/${id}`)).body;
}

async function imported(name: string, more = ''): Promise<Import> {
  await emulator.set({ job_seconds: 0 });
  return read((await post(name, more)).body.id);
}

async function count(kind: string): Promise<number> {
  return (await emulator.get<{ value: object[] }>(`${group}/${kind}`)).body.value.length;
}

test('an import publishes a report and its dataset when it ends', async () => {
  await emulator.set({ job_seconds: 100 });
  const { status, body } = await post('Margins.pbix');
  expect(status).toBe(202);
  expect(await read(body.id)).toMatchObject({ importState: 'Publishing', reports: [], datasets: [] });
  expect(await count('reports')).toBe(0);
  await emulator.advance(101);
  const report = await emulator.report('New region', 'Margins');
  const dataset = await emulator.dataset('New region', 'Margins');
  expect(report.datasetId).toBe(dataset.id);
  expect(await read(body.id)).toMatchObject({
    importState: 'Succeeded',
    reports: [{ id: report.id }],
    datasets: [{ id: dataset.id }],
  });
  expect((await emulator.get<{ value: Import[] }>(`${group}/imports`)).body.value).toMatchObject([
    { id: body.id },
  ]);
});

test('an import can fail, and contain no report, or a paginated one', async () => {
  await emulator.set({ jobs_fail: true });
  expect(await imported('Bad.pbix')).toMatchObject({ importState: 'Failed', reports: [] });
  await emulator.set({ jobs_fail: false });
  expect(await imported('Model.pbix', '&skipReport=true')).toMatchObject({ reports: [], datasets: [{}] });
  const { reports, datasets } = await imported('Letter.rdl', '&nameConflict=Abort');
  expect([reports.length, datasets.length]).toEqual([1, 0]);
  expect(await emulator.report('New region', 'Letter')).toMatchObject({ reportType: 'PaginatedReport' });
});

test('a name that exists is kept twice, overwritten, renamed or refused', async () => {
  expect((await post('A.pbix', '&nameConflict=Overwrite')).status).toBe(400);
  const first = await imported('A.pbix');
  expect((await post('A.pbix', '&nameConflict=Abort')).status).toBe(409);
  await emulator.set({ guesses: { import_conflict: '400' } });
  expect((await post('A.pbix', '&nameConflict=Abort')).status).toBe(400);
  const second = await imported('A.pbix', '&nameConflict=CreateOrOverwrite');
  expect([second.reports[0]?.id, second.datasets[0]?.id]).toEqual([
    first.reports[0]?.id,
    first.datasets[0]?.id,
  ]);
  expect(await count('reports')).toBe(1);
  expect((await imported('A.pbix', '&nameConflict=GenerateUniqueName')).reports[0]?.name).toBe('A (1)');
  await imported('A.pbix', '&nameConflict=Ignore');
  expect(await count('datasets')).toBe(3);
});

test('a file above 1 GB is uploaded first', async () => {
  const path = `${group}/imports/createTemporaryUploadLocation`;
  const { status, body } = await emulator.post<{ url: string; expirationTime: string }>(path);
  expect([status, Date.parse(body.expirationTime) > Date.now()]).toEqual([200, true]);
  const name = 'Large.pbix';
  expect((await post(name, '', { fileUrl: body.url })).status).toBe(404);
  expect((await fetch(`${body.url}&comp=block`, { method: 'PUT', body: 'PK' })).status).toBe(201);
  expect((await post(name, '', { fileUrl: body.url })).status).toBe(404);
  expect((await fetch(`${body.url}&comp=blocklist`, { method: 'PUT', body: '<BlockList/>' })).status).toBe(
    201,
  );
  expect((await post(name, '', { fileUrl: body.url })).status).toBe(202);
  await emulator.advance(3601);
  expect((await fetch(body.url, { method: 'PUT', body: 'PK' })).status).toBe(403);
});

test('an import without a name, a file or a role is refused', async () => {
  expect((await emulator.post(`${group}/imports`, file())).status).toBe(400);
  expect((await post('A.pbix', '&nameConflict=Maybe')).status).toBe(400);
  expect((await post('A.pbix', '', {})).status).toBe(400);
  expect((await emulator.get(`${group}/imports/${crypto.randomUUID()}`)).status).toBe(404);
  group = `/groups/${(await emulator.workspace('Partners')).id}`;
  expect((await post('A.pbix')).status).toBe(401);
});
