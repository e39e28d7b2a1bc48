import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Client } from '../support/client.js';
import { Statements } from '../support/statements.js';
import { type Embedding, startEmbedding } from './embedding.js';

let statements: Statements;
let embedding: Embedding;
let revenue: Report;
let ada: Client;
let ben: Client;

beforeAll(async () => {
  // Before the connections of the service are opened.
  statements = new Statements();
  embedding = await startEmbedding({ EMBED_TOKENS_SHARED: 'true' });
  revenue = await embedding.report('Revenue overview');
  const sales = await embedding.workspace('Sales');
  ada = await embedding.service.asMember(sales);
  ben = await embedding.service.asMember(sales);
  await embedding.forgetCalls();
});
afterAll(async () => {
  statements.close();
  await embedding.service.close();
});

const [session, right, issue] = ['FROM sessions', 'FROM embed_right', 'INSERT INTO issued_tokens'];
const known = new RegExp([session, right, issue].join('|'));

/** Without the pauses that Power BI has asked for, which a replica reads at most once a second for all requests. */
async function statementsFor(api: Client): Promise<string[]> {
  // A session is cached for 5 s.
  await embedding.advance(6);
  const sent = await statements.during(async () =>
    expect((await embedding.embed(api, revenue)).status).toBe(200),
  );
  return sent
    .filter(({ isOfRequest, text }) => isOfRequest && !text.includes('power_bi_pauses'))
    .map(({ text }) => known.exec(text)?.[0] ?? text);
}

describe('the statements of a request for an embed token', () => {
  test('that is issued: one for the session, one for the right, and one that issues it', async () => {
    expect(await statementsFor(ada)).toEqual([session, right, issue]);
  });

  test('are the same three if the token of Power BI is that of another user', async () => {
    expect(await statementsFor(ben)).toEqual([session, right, issue]);
    expect(await embedding.tokenRequests()).toHaveLength(1);
  });

  test('are two if the same user has it already', async () => {
    expect(await statementsFor(ben)).toEqual([session, right]);
  });
});
