import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

let embedding: Embedding;
let admin: Client;
let revenue: Report;

beforeEach(async () => {
  embedding = await startEmbedding();
  admin = await embedding.service.asAdmin();
  revenue = await embedding.report('Revenue overview');
  await embedding.forgetCalls();
});
afterEach(() => embedding.service.close());

const flags = (id: string) =>
  embedding.service.database.query(
    'SELECT identity_required, identity_roles_required FROM datasets WHERE pbi_dataset_id = $1',
    [id],
  );
const forget = (name: string) =>
  embedding.service.database.query(
    'UPDATE datasets SET identity_required = NULL, identity_roles_required = NULL WHERE name = $1',
    [name],
  );

describe('a report without a valid embed URL', () => {
  test.each([
    ['', 'none'],
    ['https://app.powerbi.com.evil.example/reportEmbed', 'a foreign host'],
    ['not a URL', 'not a URL'],
  ])('409: %s (%s), without a call to Power BI', async (url) => {
    await embedding.service.database.query('UPDATE reports SET embed_url = $1 WHERE id = $2', [
      url,
      revenue.id,
    ]);
    const response = await embedding.embed(admin, revenue);
    expect(response).toMatchObject({ status: 409, body: { code: 'report_not_embeddable' } });
    expect(await embedding.tokenRequests()).toEqual([]);
  });
});

describe('a dataset whose identity requirement is unknown', () => {
  test('embeds when it requires no identity', async () => {
    await forget('Sales');
    expect((await embedding.embed(admin, revenue)).status).toBe(200);
    expect((await embedding.tokenRequests())[0]!.body).not.toHaveProperty('identities');
  });

  test('fails closed when it requires an identity, and stores the requirement', async () => {
    await forget('Sales by representative');
    const mine = await embedding.report('My customers');
    for (let n = 0; n < 2; n += 1) {
      const response = await embedding.embed(admin, mine);
      expect(response).toMatchObject({ status: 409, body: { code: 'power_bi_identity_required' } });
      expect(response.body.detail).toContain('identity policy');
    }
    expect(await embedding.tokenRequests()).toHaveLength(1);
    expect(await flags(mine.pbiDatasetId!)).toMatchObject([{ identity_required: true }]);
    await embedding.policy(admin, 'Sales by representative', { username: '{{email}}', roles: [] });
    expect((await embedding.embed(admin, mine)).status).toBe(200);
  });

  test('stores that roles are required', async () => {
    await embedding.policy(admin, 'Sales by region', { username: '{{email}}', roles: [] });
    await forget('Sales by region');
    const mine = await embedding.report('My region');
    for (let n = 0; n < 2; n += 1) {
      expect((await embedding.embed(admin, mine)).body.code).toBe('power_bi_identity_required');
    }
    expect(await embedding.tokenRequests()).toHaveLength(1);
    expect(await flags(mine.pbiDatasetId!)).toEqual([
      { identity_required: true, identity_roles_required: true },
    ]);
  });

  test('stores that no identity is accepted', async () => {
    await embedding.policy(admin, 'Sales', { username: '{{email}}', roles: [] });
    await forget('Sales');
    expect((await embedding.embed(admin, revenue)).body.code).toBe('power_bi_identity_refused');
    expect(await flags(revenue.pbiDatasetId!)).toMatchObject([{ identity_required: false }]);
    expect((await embedding.embed(admin, revenue)).status).toBe(200);
  });
});

describe('a paginated report over data with RLS', () => {
  test("sends the user's identity for itself and its dataset", async () => {
    const paper = await embedding.report('Order confirmation');
    const mine = await embedding.report('My customers');
    await embedding.service.database.query('UPDATE reports SET pbi_dataset_id = $1 WHERE id = $2', [
      mine.pbiDatasetId,
      paper.id,
    ]);
    await embedding.policy(admin, 'Sales by representative', { username: '{{email}}', roles: [] });
    expect((await embedding.embed(admin, paper)).status).toBe(200);
    expect((await embedding.tokenRequests())[0]!.body!.identities).toMatchObject([
      { datasets: [mine.pbiDatasetId], reports: [paper.pbiReportId] },
    ]);
  });
});
