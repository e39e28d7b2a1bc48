import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import { type Embedding, startEmbedding, type Token } from '../embedding/embedding.js';
import type { Client } from '../support/client.js';
import { PowerBiPage } from '../support/powerbi-page.js';
import { until } from '../support/until.js';

/** Embed tokens live as long as the access token behind them: a few seconds here. */
const lifetime = 9;

let world: Embedding;
let browser: PowerBiPage;
let user: User;
let ada: Client;
let revenue: Report;
let answers: { status: number; body: Token }[];

beforeAll(async () => {
  world = await startEmbedding();
  await world.settings({ entra_token_seconds: lifetime });
  // The access token of the sync lives for an hour: it has to be gone.
  await world.advance(3600);
  revenue = await world.report('Revenue overview');
  user = await world.service.factory.user();
  await world.service.factory.grant(user, await world.workspace('Sales'));
  ada = await world.service.as(user);
  browser = await PowerBiPage.open();
  // What a portal's own backend does for its page.
  await browser.page.exposeFunction('askForToken', async () => {
    const { status, body } = await world.embed(ada, revenue);
    answers.push({ status, body });
    return { status, body };
  });
});
beforeEach(() => {
  answers = [];
});
afterAll(async () => {
  await browser.close();
  await world.service.close();
});

/** What the page of a portal has to do, and no more. Runs in the browser. */
function obeyRefreshIn(refreshIn: number): void {
  const page = globalThis as unknown as {
    told?: string;
    report: { setAccessToken(token: string): Promise<void> };
    askForToken(): Promise<{ status: number; body: Token }>;
  };
  const renew = async (): Promise<void> => {
    const { status, body } = await page.askForToken();
    if (status !== 200) {
      page.told = body.code;
      return;
    }
    await page.report.setAccessToken(body.token);
    setTimeout(() => void renew(), body.refresh_in * 1000);
  };
  setTimeout(() => void renew(), refreshIn * 1000);
}

async function show(): Promise<Token> {
  const { body } = await world.embed(ada, revenue);
  await browser.embed({ id: revenue.pbiReportId, embedUrl: revenue.embedUrl, accessToken: body.token });
  await browser.event('rendered');
  return body;
}

const errors = async () => (await browser.events()).filter(({ name }) => name === 'error');
const told = () => browser.page.evaluate(() => (globalThis as unknown as { told?: string }).told);

describe('a page that obeys refresh_in', () => {
  test('stays rendered across three lifetimes of its token', async () => {
    const first = await show();
    expect(first.expires_in).toBeLessThanOrEqual(lifetime);
    const started = Date.now();
    await browser.page.evaluate(obeyRefreshIn, first.refresh_in);
    await until(() => Date.now() - started > 3 * lifetime * 1000, 3 * lifetime + 10);
    expect(await errors()).toEqual([]);
    // Still alive, not merely still painted: it draws itself anew.
    await browser.call('refresh');
    expect(await browser.text('h1')).toBe('Revenue overview');
    expect(answers.length).toBeGreaterThanOrEqual(3);
    expect(new Set(answers.map(({ body }) => body.token)).size).toBeGreaterThanOrEqual(3);
    expect(await errors()).toEqual([]);
  }, 60_000);

  test('is told when its grant was revoked, and what it has ends by itself', async () => {
    const first = await show();
    await browser.page.evaluate(obeyRefreshIn, first.refresh_in);
    const admin = await world.service.asAdmin();
    const { body } = await admin.post<{ ended_at_latest: string }>('/api/embed-grants/revoke', {
      user_id: user.id,
    });
    expect(await until(told)).toBe('embed_access_revoked');
    expect(answers.at(-1)!.status).toBe(403);
    expect(new Date(body.ended_at_latest).getTime()).toBeGreaterThan(0);
    expect((await browser.event('error', 2 * lifetime * 1000)).detail).toMatchObject({
      message: expect.stringMatching(/TokenExpired/i),
    });
  }, 60_000);
});
