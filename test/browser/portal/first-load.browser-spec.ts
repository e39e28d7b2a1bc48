import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { built } from '../../support/program.js';
import { Portal } from './portal.js';

let portal: Portal;

beforeAll(async () => {
  portal = await Portal.open();
}, 120_000);
afterAll(() => portal.close());

const gzipped = (name: string): number => statSync(built(`portal/assets/${name}.gz`)).size;

test('the workspace list loads less than 250 kB, without Power BI’s client', async () => {
  const page = await portal.tab(await portal.newContext());
  const assets = new Set<string>();
  const encodings = new Set<string | undefined>();
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (!pathname.startsWith('/assets/')) return;
    assets.add(basename(pathname));
    encodings.add(response.headers()['content-encoding']);
  });
  await page.goto(portal.url);
  await page.getByLabel('E-mail').fill(portal.admin.email);
  await page.getByLabel(/^Password/).fill(portal.admin.password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('link', { name: 'Sales' }).waitFor();
  const bytes = [...assets].map(gzipped).reduce((sum, size) => sum + size, 0);
  expect(bytes).toBeGreaterThan(50_000);
  expect(bytes).toBeLessThan(250_000);
  expect([...assets].filter((name) => /powerbi/i.test(name))).toEqual([]);
  expect([...encodings]).toEqual(['br']);
});
