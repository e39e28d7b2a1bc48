import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Changes } from '../../src/database/changes.service.js';
import type { Report } from '../../src/reports/report.entity.js';
import { Client } from '../support/client.js';
import { until } from '../support/until.js';
import { type Embedding, startEmbedding } from './embedding.js';

// Counts requests.
Client.warms = false;

let embedding: Embedding;
let revenue: Report;
let member: Client;

beforeAll(async () => {
  embedding = await startEmbedding({ RATE_LIMIT_API_PER_MINUTE: '1000' });
  revenue = await embedding.report('Revenue overview');
  await until(() => embedding.service.app.get(Changes).isCurrent);
  member = await embedding.service.asMember(await embedding.workspace('Sales'));
});
afterAll(() => embedding.service.close());

/** Nothing can be read from the catalogue while this runs, so every route fails. */
async function withoutCatalogue<T>(work: () => Promise<T>): Promise<T> {
  const { database } = embedding.service;
  await database.query('ALTER TABLE reports RENAME TO hidden_reports');
  try {
    return await work();
  } finally {
    await database.query('ALTER TABLE hidden_reports RENAME TO reports');
  }
}

describe('an embed token at hand, for somebody whose right to it is known', () => {
  test.each([
    ['no body', undefined],
    ['the access view', { access: 'view' }],
  ])('is handed out without the database: %s', async (_name, body) => {
    const first = await embedding.embed(member, revenue, body);
    const again = await withoutCatalogue(() => embedding.embed(member, revenue, body));
    expect(again.status).toBe(200);
    const { token_id: id, token } = first.body;
    expect(again.body).toMatchObject({ token_id: id, token, access: 'view' });
    expect(Object.keys(again.body)).toEqual(Object.keys(first.body));
    for (const name of ['cache-control', 'content-type', 'x-frame-options', 'ratelimit-policy', 'etag']) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
  });

  test('its life goes on', async () => {
    const first = await embedding.embed(member, revenue);
    await embedding.advance(60);
    const again = await embedding.embed(member, revenue);
    expect(again.body.token_id).toBe(first.body.token_id);
    expect(again.body.expires_in).toBe(first.body.expires_in - 60);
  });

  test('spends the budgets of address, person and embed tokens, and is counted', async () => {
    const ada = await embedding.service.factory.user();
    await embedding.service.factory.grant(ada, await embedding.workspace('Sales'));
    const caller = await embedding.service.as(ada);
    const left = async () => {
      const { headers } = await embedding.embed(caller, revenue);
      return [...(headers.get('ratelimit') ?? '').matchAll(/r=(\d+)/g)].map(([, count]) => Number(count));
    };
    const [address = 0, person = 0, tokens = 0] = await left();
    expect(await left()).toEqual([address - 1, person - 1, tokens - 1]);
    await until(async () => {
      const admin = await embedding.service.asAdmin();
      const { body } = await admin.get<{ embed_grants: { handed_out: number }[] }>(
        `/api/embed-grants?user_id=${ada.id}`,
      );
      return body.embed_grants[0]?.handed_out === 2;
    });
  });

  test('is no way round the route: what is wrong is told, and nobody else gets it', async () => {
    await embedding.embed(member, revenue);
    const stranger = await embedding.service.as(await embedding.service.factory.user());
    const path = `/api/reports/${revenue.id}/embed-token`;
    const statuses = await Promise.all(
      [
        member.post(path, { access: 'own' }),
        member.post(path, { access: 'view', report_id: revenue.id }),
        member.post(path, []),
        member.post(path, 'no JSON'),
        member.post(path, { access: 'edit' }),
        member.get(path),
        embedding.service.api.post(path),
        stranger.post(path),
      ].map(async (answer) => (await answer).status),
    );
    expect(statuses).toEqual([400, 400, 400, 400, 403, 405, 401, 404]);
  });
});
