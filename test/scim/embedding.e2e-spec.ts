import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { User } from '../../src/users/user.entity.js';
import { type Embedding, startEmbedding } from '../embedding/embedding.js';
import type { Client } from '../support/client.js';
import { password } from '../support/factory.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { until } from '../support/until.js';
import { scimClient } from './scim-client.js';
import { ENTERPRISE, patchOf } from './scim-service.js';

let embedding: Embedding;
let replica: InProcessReplica;
let admin: Client;
let idp: Client;

beforeAll(async () => {
  embedding = await startEmbedding();
  replica = await startInProcessReplica(embedding.service);
  admin = await embedding.service.asAdmin();
  idp = await scimClient(embedding.service);
});
afterAll(async () => {
  await replica.close();
  await embedding.service.close();
});

/** Who may see the workspace Sales. */
async function viewer(): Promise<{ user: User; api: Client }> {
  const user = await embedding.service.factory.user();
  await embedding.service.factory.grant(user, await embedding.workspace('Sales'));
  return { user, api: await embedding.service.as(user) };
}

test('row-level security follows the attributes that the provider sends, without a new sign-in', async () => {
  const policy = { username: '{{attributes.employeeNumber}}', roles: ['{{attributes.department}}'] };
  expect((await embedding.policy(admin, 'Sales by region', policy)).status).toBe(200);
  const { user, api } = await viewer();
  const path = `/scim/v2/Users/${user.id}`;
  const report = await embedding.report('My region');
  const identity = async (): Promise<unknown> => {
    await embedding.forgetCalls();
    expect((await embedding.embed(api, report)).status).toBe(200);
    const [request] = await embedding.tokenRequests();
    return (request?.body?.['identities'] as unknown[] | undefined)?.[0];
  };
  await idp.patch(path, patchOf({ op: 'Add', path: `${ENTERPRISE}:employeeNumber`, value: '4711' }));
  for (const department of ['Europe', 'Americas']) {
    const change = { op: 'Replace', path: `${ENTERPRISE}:department`, value: department };
    expect((await idp.patch(path, patchOf(change))).status).toBe(200);
    expect(await identity()).toMatchObject({ username: '4711', roles: [department] });
  }
  await idp.patch(path, patchOf({ op: 'Remove', path: `${ENTERPRISE}:department` }));
  const { status, body } = await embedding.embed(api, report);
  expect([status, body.code]).toEqual([409, 'power_bi_identity_required']);
});

test('a disabled person renews no embed token, on another replica too', async () => {
  const { user, api } = await viewer();
  const there = replica.as(api);
  const report = await embedding.report('Revenue overview');
  for (const caller of [api, there]) expect((await embedding.embed(caller, report)).status).toBe(200);
  const change = patchOf({ op: 'Replace', path: 'active', value: 'False' });
  expect((await idp.patch(`/scim/v2/Users/${user.id}`, change)).status).toBe(200);
  // disabled.e2e-spec.ts measures the time.
  for (const caller of [api, there]) {
    await until(async () => (await embedding.embed(caller, report)).status === 401);
  }
  // Nor with a new sign-in.
  const token = { email: user.email, password };
  expect((await embedding.service.api.post('/api/auth/token', token)).status).toBe(401);
  await embedding.forgetCalls();
  expect((await embedding.embed(there, report)).status).toBe(401);
  expect(await embedding.tokenRequests()).toEqual([]);
});
