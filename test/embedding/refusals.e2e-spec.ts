import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Client } from '../support/client.js';
import { type Embedding, startEmbedding } from './embedding.js';

let world: Embedding;
let admin: Client;
let revenue: Report;

beforeEach(async () => {
  world = await startEmbedding();
  admin = await world.service.asAdmin();
  revenue = await world.report('Revenue overview');
  await world.forgetCalls();
});
afterEach(() => world.service.close());

const flags = (id: string) =>
  world.service.database.query(
    'SELECT identity_required, identity_roles_required FROM datasets WHERE pbi_dataset_id = $1',
    [id],
  );
const forget = (name: string) =>
  world.service.database.query(
    'UPDATE datasets SET identity_required = NULL, identity_roles_required = NULL WHERE name = $1',
    [name],
  );

describe('a report without an address to embed from', () => {
  test.each([
    ['', 'none'],
    ['https://app.powerbi.com.evil.example/reportEmbed', 'a foreign host'],
    ['no address', 'no address'],
  ])('409: %s (%s), and Power BI is not asked', async (url) => {
    await world.service.database.query('UPDATE reports SET embed_url = $1 WHERE id = $2', [url, revenue.id]);
    const answer = await world.embed(admin, revenue);
    expect(answer).toMatchObject({ status: 409, body: { code: 'report_not_embeddable' } });
    expect(await world.asked()).toEqual([]);
  });
});

describe('a dataset of which Power BI did not tell whether it needs an identity', () => {
  test('embeds where it needs none', async () => {
    await forget('Sales');
    expect((await world.embed(admin, revenue)).status).toBe(200);
    expect((await world.asked())[0]!.body).not.toHaveProperty('identities');
  });

  test('fails closed where it needs one, and that is known from then on', async () => {
    await forget('Sales by representative');
    const mine = await world.report('My customers');
    for (let n = 0; n < 2; n += 1) {
      const answer = await world.embed(admin, mine);
      expect(answer).toMatchObject({ status: 409, body: { code: 'power_bi_identity_required' } });
      expect(answer.body.detail).toContain('identity policy');
    }
    expect(await world.asked()).toHaveLength(1);
    expect(await flags(mine.pbiDatasetId!)).toMatchObject([{ identity_required: true }]);
    await world.policy(admin, 'Sales by representative', { username: '{{email}}', roles: [] });
    expect((await world.embed(admin, mine)).status).toBe(200);
  });

  test('learns that roles are needed', async () => {
    await world.policy(admin, 'Sales by region', { username: '{{email}}', roles: [] });
    await forget('Sales by region');
    const mine = await world.report('My region');
    for (let n = 0; n < 2; n += 1) {
      expect((await world.embed(admin, mine)).body.code).toBe('power_bi_identity_required');
    }
    expect(await world.asked()).toHaveLength(1);
    expect(await flags(mine.pbiDatasetId!)).toEqual([
      { identity_required: true, identity_roles_required: true },
    ]);
  });

  test('learns that it takes none', async () => {
    await world.policy(admin, 'Sales', { username: '{{email}}', roles: [] });
    await forget('Sales');
    expect((await world.embed(admin, revenue)).body.code).toBe('power_bi_identity_refused');
    expect(await flags(revenue.pbiDatasetId!)).toMatchObject([{ identity_required: false }]);
    expect((await world.embed(admin, revenue)).status).toBe(200);
  });
});

describe('a paginated report over data with RLS', () => {
  test('names the person for itself and its dataset', async () => {
    const paper = await world.report('Order confirmation');
    const mine = await world.report('My customers');
    await world.service.database.query('UPDATE reports SET pbi_dataset_id = $1 WHERE id = $2', [
      mine.pbiDatasetId,
      paper.id,
    ]);
    await world.policy(admin, 'Sales by representative', { username: '{{email}}', roles: [] });
    expect((await world.embed(admin, paper)).status).toBe(200);
    expect((await world.asked())[0]!.body!.identities).toMatchObject([
      { datasets: [mine.pbiDatasetId], reports: [paper.pbiReportId] },
    ]);
  });
});
