import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { type Embedding, startEmbedding, type Token } from '../embedding/embedding.js';
import type { Client } from '../support/client.js';
import { PowerBiPage } from '../support/powerbi-page.js';
import { until } from '../support/until.js';

/** Embed tokens live as long as the access token behind them: a few seconds here. */
const lifetime = 9;

let embedding: Embedding;
let browser: PowerBiPage;
let user: User;
let ada: Client;
let revenue: Report;
let responses: { status: number; body: Token }[];

beforeAll(async () => {
  embedding = await startEmbedding();
  await embedding.settings({ entra_token_seconds: lifetime });
  // The access token of the sync lives for an hour: it has to be gone.
  await embedding.advance(3600);
  revenue = await embedding.report('Revenue overview');
  user = await embedding.service.factory.user();
  await embedding.service.factory.grant(user, await embedding.workspace('Sales'));
  ada = await embedding.service.as(user);
  browser = await PowerBiPage.open();
  // What a portal's own backend does for its page.
  await browser.page.exposeFunction('askForToken', async () => {
    const { status, body } = await embedding.embed(ada, revenue);
    responses.push({ status, body });
    return { status, body };
  });
});
beforeEach(() => {
  responses = [];
});
afterAll(async () => {
  await browser.close();
  await embedding.service.close();
});

/** What the page of a portal has to do, and no more. Runs in the browser. */
function followRefreshIn(refreshIn: number): void {
  const page = globalThis as unknown as {
    reported?: string;
    report: { setAccessToken(token: string): Promise<void> };
    askForToken(): Promise<{ status: number; body: Token }>;
  };
  const renew = async (): Promise<void> => {
    const { status, body } = await page.askForToken();
    if (status !== 200) {
      page.reported = body.code;
      return;
    }
    await page.report.setAccessToken(body.token);
    setTimeout(() => void renew(), body.refresh_in * 1000);
  };
  setTimeout(() => void renew(), refreshIn * 1000);
}

async function show(): Promise<Token> {
  const { body } = await embedding.embed(ada, revenue);
  await browser.embed({ id: revenue.pbiReportId, embedUrl: revenue.embedUrl, accessToken: body.token });
  await browser.event('rendered');
  return body;
}

const errors = async () => (await browser.events()).filter(({ name }) => name === 'error');
const reported = () => browser.page.evaluate(() => (globalThis as unknown as { reported?: string }).reported);

describe('a page that follows refresh_in', () => {
  test('stays rendered over three token lifetimes', async () => {
    const first = await show();
    expect(first.expires_in).toBeLessThanOrEqual(lifetime);
    const started = Date.now();
    await browser.page.evaluate(followRefreshIn, first.refresh_in);
    await until(() => Date.now() - started > 3 * lifetime * 1000);
    expect(await errors()).toEqual([]);
    // Still alive, not merely still painted: it draws itself anew.
    await browser.call('refresh');
    expect(await browser.text('h1')).toBe('Revenue overview');
    expect(responses.length).toBeGreaterThanOrEqual(3);
    expect(new Set(responses.map(({ body }) => body.token)).size).toBeGreaterThanOrEqual(3);
    expect(await errors()).toEqual([]);
  });

  test('gets the error after a revocation, and its last token expires', async () => {
    const first = await show();
    await browser.page.evaluate(followRefreshIn, first.refresh_in);
    const admin = await embedding.service.asAdmin();
    const { body } = await admin.post<{ ended_at_latest: string }>('/api/embed-grants/revoke', {
      user_id: user.id,
    });
    expect(await until(reported)).toBe('embed_access_revoked');
    expect(responses.at(-1)!.status).toBe(403);
    expect(new Date(body.ended_at_latest).getTime()).toBeGreaterThan(0);
    expect((await browser.event('error')).detail).toMatchObject({
      message: expect.stringMatching(/TokenExpired/i),
    });
  });
});
