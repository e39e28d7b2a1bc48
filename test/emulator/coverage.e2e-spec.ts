import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { demoContent } from '../../packages/power-bi-emulator/content/demo.js';
import { coveragePage, currentReadme } from '../../packages/power-bi-emulator/coverage/coverage.js';
import { Emulator } from '../../packages/power-bi-emulator/emulator.js';
import {
  operations,
  routeKey,
  servedOperations,
  servedRoutes,
} from '../../packages/power-bi-emulator/rest/operations.js';
import { EmulatorClient } from '../support/emulator-client.js';

const folder = join(import.meta.dirname, '../../packages/power-bi-emulator');
const group = '/groups/a0000001-0000-4000-8000-000000000000';

let client: EmulatorClient;
let emulator: Emulator;

beforeAll(async () => {
  client = await EmulatorClient.start();
  emulator = await Emulator.create(demoContent);
});
afterAll(() => client.close());

interface Refusal {
  error: { code: string; message: string };
}

describe('an operation of the definition that is not served', () => {
  test.each([
    ['GET', '/gateways', 'Gateways_GetGateways'],
    ['GET', '/pipelines/x/stages/', 'Pipelines_GetPipelineStages'],
    ['GET', `${group}/datasets/upstreamDataflows`, 'Datasets_GetDatasetToDataflowsLinksInGroup'],
    ['PUT', `${group}/datasets/x/tables/y`, 'Datasets_PutTableInGroup'],
  ])('%s %s is a 501 that names %s', async (method, path, id) => {
    const { status, body } = await client.rest<Refusal>(method, path);
    expect([status, body.error.code]).toEqual([501, 'NotImplemented']);
    expect(body.error.message).toContain(`${id} (${method} /`);
  });

  test('is a 403 without a token', async () => {
    expect((await client.get('/gateways', { Authorization: '' })).status).toBe(403);
  });
});

test.each([
  ['GET', '/gateway'],
  ['PUT', '/gateways'],
  ['GET', '/groups/x/y/z'],
  ['GET', '/availableFeaturesXfeatureName=x)'],
])('%s %s, which the definition does not have, is a 404', async (method, path) => {
  expect((await client.rest(method, path)).status).toBe(404);
});

test('serves no route that the definition does not have', () => {
  const known = new Set(operations.map(routeKey));
  expect(servedRoutes(emulator).filter((each) => !known.has(routeKey(each)))).toEqual([]);
});

test('GET /__emulator lists the served operations', async () => {
  const { body } = await client.control<{ operations: { served: string[]; total: number } }>('GET', '/');
  expect(body.operations.total).toBe(286);
  expect(body.operations.served).toEqual(servedOperations(emulator).map(({ id }) => id));
  expect(body.operations.served).toContain('Groups_GetGroups');
  expect(body.operations.served).not.toContain('Gateways_GetGateways');
});

test('COVERAGE.md and the README are up to date (npm run generate)', () => {
  const served = servedOperations(emulator);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  expect(readFileSync(join(folder, 'COVERAGE.md'), 'utf8')).toBe(coveragePage(served));
  expect(currentReadme(readme, served)).toBe(readme);
});
