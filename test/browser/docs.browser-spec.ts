import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser } from 'playwright-core';
import { launchChromium } from '../support/chromium.js';
import { type Program, startProgram } from '../support/program.js';

let program: Program;
let browser: Browser;

beforeAll(async () => {
  program = await startProgram({ DOCS_ENABLED: 'true' });
  browser = await launchChromium();
});
afterAll(async () => {
  await browser.close();
  await program.close();
});

describe('/docs', () => {
  test('shows every group of routes without external requests or errors', async () => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
    const troubles: string[] = [];
    page.on('pageerror', ({ message }) => troubles.push(message));
    page.on('requestfailed', (request) => troubles.push(request.url()));
    page.on('request', (request) => {
      if (!/^(data:|blob:)/.test(request.url()) && !request.url().startsWith(program.url)) {
        troubles.push(request.url());
      }
    });
    await page.goto(`${program.url}/docs`);
    for (const group of ['auth', 'workspaces', 'reports', 'users', 'health', 'webhooks']) {
      await page.locator(`.opblock-tag[data-tag="${group}"]`).waitFor();
    }
    await page.locator('#operations-tag-reports').click();
    const route = page.locator('#operations-reports-Embed_embed');
    await route.click();
    await route.locator('.responses-table').first().waitFor();
    if (process.env.SCREENSHOT !== undefined) await page.screenshot({ path: process.env.SCREENSHOT });
    expect(troubles).toEqual([]);
  });
});
