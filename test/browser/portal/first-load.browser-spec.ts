import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { built } from '../../support/program.js';
import type { Page } from 'playwright-core';
import { isShown } from './embedded.js';
import { Portal } from './portal.js';
import { idOf } from './viewers.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(() => portal.close());

const gzipped = (name: string): number => statSync(built(`portal/assets/${name}.gz`)).size;

interface Assets {
  names: Set<string>;
  encodings: Set<string | undefined>;
}

/** What the page loads from now on. */
function assetsOf(page: Page): Assets {
  const assets: Assets = { names: new Set(), encodings: new Set() };
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/assets/')) return;
    assets.names.add(basename(pathname));
    assets.encodings.add(response.headers()['content-encoding']);
  });
  return assets;
}

const bytesOf = ({ names }: Assets): number => [...names].map(gzipped).reduce((sum, size) => sum + size, 0);

async function signIn(page: Page, path: string): Promise<void> {
  await page.goto(`${portal.url}${path}`);
  await page.getByLabel('Email').fill(portal.admin.email);
  await page.getByLabel(/^Password/).fill(portal.admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test('the workspace list loads less than 250 kB, without Power BI’s client', async () => {
  const page = await portal.tab(await portal.newContext());
  const assets = assetsOf(page);
  await signIn(page, '/');
  await page.getByRole('link', { name: 'Sales' }).waitFor();
  expect(bytesOf(assets)).toBeGreaterThan(50_000);
  expect(bytesOf(assets)).toBeLessThan(250_000);
  expect([...assets.names].filter((name) => /powerbi/i.test(name))).toEqual([]);
  expect([...assets.encodings]).toEqual(['br']);
});

test('a report loads less than 300 kB, Power BI’s client included', async () => {
  const path = `/reports/${await idOf(portal, 'reports', 'Revenue overview')}`;
  const context = (await portal.as(portal.admin, '/account')).context();
  // Signed in, with an empty cache: a link in a mail.
  const page = await portal.tab(context);
  const client = await context.newCDPSession(page);
  await client.send('Network.setCacheDisabled', { cacheDisabled: true });
  const assets = assetsOf(page);
  await page.goto(`${portal.url}${path}`);
  await isShown(page, 'Revenue overview');
  await page.getByRole('button', { name: 'Export', exact: true }).waitFor();
  await page.waitForLoadState('networkidle');
  expect([...assets.names].filter((name) => name.startsWith('power-bi-frame'))).toHaveLength(1);
  expect(bytesOf(assets)).toBeGreaterThan(150_000);
  expect(bytesOf(assets)).toBeLessThan(300_000);
});
