import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { launchChromium } from '../../support/chromium.js';
import { build } from 'vite';
import { demoTenant, idOf } from '@vitrine/power-bi-emulator';
import { makeCertificate } from '../../support/certificate.js';
import { InstalledEmulator } from './installed.js';

const ownWorkspaces = expect.arrayContaining(['Sales', 'Finance']);
const usersWorkspaces = expect.arrayContaining(['Sales', 'Board']);
const workspace = idOf('workspace', 1);
const report = idOf('report', 1, 1);

let emulator: InstalledEmulator;

beforeAll(async () => {
  emulator = await InstalledEmulator.start();
  console.log('The packed emulator:', JSON.stringify(emulator.figures));
}, 180_000);
afterAll(() => emulator.close());

test('the package is small, and uses at most 120 MB', () => {
  const { tarballKilobytes, megabytes } = emulator.figures;
  expect(tarballKilobytes).toBeLessThan(250);
  expect(megabytes).toBeGreaterThan(0);
  expect(megabytes).toBeLessThanOrEqual(120);
});

test('the program prints what clients need', () => {
  expect(emulator.printed).toContain('127.0.0.1 login.microsoftonline.com');
  expect(emulator.printed).toContain(`NODE_EXTRA_CA_CERTS=${emulator.caFile}`);
  expect(readFileSync(emulator.caFile, 'utf8')).toContain('BEGIN CERTIFICATE');
});

test('the package has types, and no sources or tests', () => {
  const folder = join(emulator.clients, '../emulator/node_modules/@vitrine/power-bi-emulator');
  const { exports } = createRequire(import.meta.url)(join(folder, 'package.json')) as {
    exports: { '.': { types: string } };
  };
  expect(readFileSync(join(folder, exports['.'].types), 'utf8')).toContain('startEmulator');
});

describe('Node', () => {
  test('@azure/msal-node: secret, certificate, password, refresh, device code, authorization code', async () => {
    const { certificate, privateKey, thumbprintSha256 } = await makeCertificate();
    const result = emulator.run('msal-node.mjs', {
      CERTIFICATE: certificate,
      CERTIFICATE_KEY: privateKey,
      CERTIFICATE_THUMBPRINT: thumbprintSha256,
    });
    expect(result).toEqual({
      bySecret: ownWorkspaces,
      byCertificate: ownWorkspaces,
      byPassword: usersWorkspaces,
      silent: usersWorkspaces,
      byDevice: usersWorkspaces,
      byCode: usersWorkspaces,
      account: 'dana@vitrine.example',
      refused: 'invalid_client',
    });
  });

  test('@azure/identity: secret, password, device code', () => {
    expect(emulator.run('azure-identity.mjs')).toEqual({
      bySecret: ownWorkspaces,
      byPassword: usersWorkspaces,
      byDevice: usersWorkspaces,
    });
  });

  test('openid-client: HTTP Basic, authorization code with PKCE, refresh', () => {
    expect(emulator.run('openid-client.mjs')).toEqual({
      bySecret: ownWorkspaces,
      byCode: usersWorkspaces,
      refreshed: usersWorkspaces,
      name: 'dana@vitrine.example',
    });
  });

  test("the calls of Microsoft's samples in Node, Python, .NET and Java get embed tokens", () => {
    const result = emulator.run<Record<string, boolean>>('samples.mjs', {
      WORKSPACE: workspace,
      REPORT: report,
    });
    expect(Object.values(result)).toEqual(Array.from({ length: 12 }, () => true));
  });
});

// On a developer's machine the package may be missing; CI installs Debian's python3-msal.
const hasMsal = spawnSync('/usr/bin/python3', ['-c', 'import msal']).status === 0;
(!hasMsal && process.env.CI !== 'true' ? describe.skip : describe)('Python', () => {
  test('msal: secret, password, device code', () => {
    expect(emulator.run('msal_client.py')).toEqual({
      bySecret: ownWorkspaces,
      byPassword: usersWorkspaces,
      byDevice: usersWorkspaces,
      refused: [50126],
    });
  });
});

describe('Chromium', () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    const names = ['api.powerbi.com', 'app.powerbi.com', 'login.microsoftonline.com'];
    const rules = names.map((name) => `MAP ${name}:443 127.0.0.1:${emulator.port}`).join(',');
    browser = await launchChromium({ args: [`--host-resolver-rules=${rules}`] });
  });
  afterAll(() => browser.close());

  async function configuration() {
    const token = await post<{ access_token: string }>(
      `/${demoTenant.tenantId}/oauth2/v2.0/token`,
      new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: demoTenant.clientId,
        client_secret: demoTenant.clientSecret,
        scope: 'https://analysis.windows.net/powerbi/api/.default',
      }).toString(),
      { 'Content-Type': 'application/x-www-form-urlencoded' },
    );
    const headers = { Authorization: `Bearer ${token.access_token}` };
    const path = `/v1.0/myorg/groups/${workspace}/reports/${report}`;
    const details = await page.request.get(emulator.url + path, { headers });
    const { embedUrl } = (await details.json()) as { embedUrl: string };
    const body = JSON.stringify({ accessLevel: 'View' });
    const json = { ...headers, 'Content-Type': 'application/json' };
    const { token: accessToken } = await post<{ token: string }>(`${path}/GenerateToken`, body, json);
    return { id: report, embedUrl, accessToken };
  }

  async function post<T>(path: string, body: string, headers: Record<string, string>): Promise<T> {
    return (await (await page.request.post(emulator.url + path, { data: body, headers })).json()) as T;
  }

  async function open(script: { path: string } | { content: string }): Promise<void> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    page = await context.newPage();
    await page.setContent('<style>.report { height: 600px }</style><div id="root" class="report"></div>');
    await page.addScriptTag(script);
  }

  const rendered = () => {
    const { events } = globalThis as unknown as { events: string[] };
    return events.includes('rendered') || events.includes('error');
  };

  test('powerbi-client embeds a report of app.powerbi.com', async () => {
    await open({ path: join(emulator.clients, 'node_modules/powerbi-client/dist/powerbi.js') });
    const config = await configuration();
    expect(config.embedUrl).toMatch(/^https:\/\/app\.powerbi\.com\/reportEmbed/);
    await page.evaluate((settings) => {
      const own = globalThis as unknown as {
        events: string[];
        powerbi: { embed(element: unknown, config: object): { on(name: string, done: () => void): void } };
        document: { getElementById(id: string): unknown };
      };
      own.events = [];
      const shown = own.powerbi.embed(own.document.getElementById('root'), {
        type: 'report',
        tokenType: 1,
        ...settings,
      });
      for (const name of ['loaded', 'rendered', 'error']) shown.on(name, () => own.events.push(name));
    }, config);
    await page.waitForFunction(rendered);
    expect(await page.evaluate('events')).toEqual(['loaded', 'rendered']);
  });

  test('powerbi-client-react does too, in a page that Vite builds', async () => {
    await open({ content: await builtPage() });
    await page.evaluate(
      (config) => (globalThis as unknown as { show(config: object): void }).show(config),
      await configuration(),
    );
    await page.waitForFunction(rendered);
    expect(await page.evaluate('events')).toEqual(['loaded', 'rendered']);
  });
});

async function builtPage(): Promise<string> {
  const outDir = join(emulator.clients, 'built');
  await build({
    root: emulator.clients,
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      outDir,
      lib: {
        entry: join(emulator.clients, 'scripts/react-page.jsx'),
        formats: ['iife'],
        name: 'page',
        fileName: () => 'page.js',
      },
    },
  });
  return readFileSync(join(outDir, 'page.js'), 'utf8');
}
