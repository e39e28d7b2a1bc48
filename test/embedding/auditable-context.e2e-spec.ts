import { afterEach, expect, test } from '@jest/globals';
import type { EffectiveIdentity } from '@vitrine/power-bi-emulator';
import { User } from '../../src/users/user.entity.js';
import type { Report } from '../../src/reports/report.entity.js';
import { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;

afterEach(() => embedding.service.close());

async function start(variables: Record<string, string>) {
  embedding = await startEmbedding(variables);
  const policy = { username: 'someone-in-the-data', roles: ['Manager'] };
  await embedding.policy(await embedding.service.asAdmin(), 'Sales by region', policy);
  await embedding.forgetCalls();
  return { secured: await embedding.report('My region'), plain: await embedding.report('Revenue overview') };
}

async function viewer(): Promise<{ user: User; api: Client }> {
  const user = await embedding.service.factory.user();
  await embedding.service.factory.grant(user, await embedding.workspace('Sales'));
  return { user, api: await embedding.service.as(user) };
}

/** A service account, which has no email address. */
async function machine(): Promise<{ id: string; api: Client }> {
  const { service } = embedding;
  const admin = await service.asAdmin();
  const { body } = await admin.post<{ id: string; client_secret: string }>('/api/service-accounts', {
    name: 'Nightly',
  });
  const { id: client_id, client_secret } = body;
  const account = await service.database.getRepository(User).findOneByOrFail({ id: client_id });
  await service.factory.grant(account, await embedding.workspace('Sales'));
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const session = await service.api.post<{ access_token: string }>('/api/auth/token', credentials);
  return { id: client_id, api: new Client(service.url, session.body.access_token) };
}

/** The identities that Power BI receives for this report. */
async function identitiesFor(api: Client, report: Report): Promise<EffectiveIdentity[] | undefined> {
  expect((await embedding.embed(api, report)).status).toBe(200);
  const body = (await embedding.tokenRequests()).at(-1)?.body as { identities?: EffectiveIdentity[] };
  return body.identities;
}

test("EMBED_AUDITABLE_CONTEXT is off by default: Power BI's audit log names no user", async () => {
  const { secured } = await start({});
  const { api } = await viewer();
  expect(await identitiesFor(api, secured)).toEqual([
    { username: 'someone-in-the-data', roles: ['Manager'], datasets: [secured.pbiDatasetId] },
  ]);
});

test.each(['id', 'email'] as const)('EMBED_AUDITABLE_CONTEXT=%s names each user', async (setting) => {
  const { secured } = await start({ EMBED_AUDITABLE_CONTEXT: setting });
  for (const { user, api } of [await viewer(), await viewer()]) {
    const [identity] = (await identitiesFor(api, secured)) ?? [];
    expect(identity).toMatchObject({ username: 'someone-in-the-data', auditableContext: user[setting] });
  }
});

test('EMBED_AUDITABLE_CONTEXT=email names a service account by its id', async () => {
  const { secured } = await start({ EMBED_AUDITABLE_CONTEXT: 'email' });
  const { id, api } = await machine();
  expect(await identitiesFor(api, secured)).toMatchObject([{ auditableContext: id }]);
});

test('EMBED_AUDITABLE_CONTEXT adds no identity to a report without row-level security', async () => {
  const { plain } = await start({ EMBED_AUDITABLE_CONTEXT: 'email' });
  expect(await identitiesFor((await viewer()).api, plain)).toBeUndefined();
});
