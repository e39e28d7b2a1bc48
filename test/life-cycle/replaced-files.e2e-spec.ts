import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type RunningEmulator, startEmulator } from '@vitrine/power-bi-emulator';
import { Client } from '../support/client.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { password } from '../support/factory.js';
import { type Mailbox, startMailbox } from '../support/mailbox.js';
import { type Program, startProgramOn } from '../support/program.js';
import { until } from '../support/until.js';

// Every request is the first of its kind after the files are gone.
Client.warms = false;

let folder: string;
let database: TestDatabase;
let emulator: RunningEmulator;
let mailbox: Mailbox;
let service: Program;
let admin: Client;

/** The packages of production, as `deploy/release.js` selects them. */
function packages(): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dev?: boolean }>;
  };
  return Object.entries(lock.packages)
    .filter(([path, { dev }]) => dev !== true && path.lastIndexOf('node_modules/') === 0)
    .map(([path]) => path)
    .filter((path) => existsSync(path));
}

/** A separate release with its own packages, as a deployment unpacks it. */
function unpack(): string {
  const release = mkdtempSync(join(tmpdir(), 'vitrine-release-'));
  for (const path of ['dist/src', 'dist/openapi.json', 'dist/portal', 'package.json', ...packages()])
    cpSync(path, join(release, path), { recursive: true });
  return release;
}

beforeAll(async () => {
  [database, emulator, mailbox] = await Promise.all([createDatabase(), startEmulator(), startMailbox()]);
  folder = unpack();
  const parts = { databaseUrl: database.url, emulatorUrl: emulator.url, smtpUrl: mailbox.url };
  const admins = { ADMIN_EMAIL: 'admin@example.com', ADMIN_PASSWORD: password };
  const variables = { ...environmentFor(parts), ...admins, DOCS_ENABLED: 'true' };
  service = await startProgramOn(variables, 'pipe', join(folder, 'dist/src/main.js'));
  rmSync(folder, { recursive: true });
});
afterAll(async () => {
  await service?.close();
  await Promise.all([emulator.close(), mailbox.close(), database.drop()]);
});

const statusOf = async (path: string): Promise<number> => (await fetch(service.url + path)).status;

describe('a replica whose files are removed while it runs (D2)', () => {
  test('signs in, and reports Power BI and mail as working', async () => {
    const signIn = { email: 'admin@example.com', password };
    const { body } = await new Client(service.url).post<{ access_token: string }>('/api/auth/token', signIn);
    admin = new Client(service.url, body.access_token);
    const ok = { status: 'ok' };
    expect((await admin.get('/api/health')).body).toMatchObject({
      status: 'ok',
      checks: { database: ok, jobs: ok, mail: ok, power_bi: ok },
    });
    expect(await statusOf('/readyz')).toBe(200);
  });

  test('syncs the catalogue and issues embed tokens', async () => {
    const { body: run } = await admin.post<{ id: string }>('/api/syncs');
    await until(
      async () => (await admin.get<{ status: string }>(`/api/syncs/${run.id}`)).body.status === 'succeeded',
    );
    const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports?q=Revenue');
    const issued = await admin.post(`/api/reports/${body.reports[0]?.id}/embed-token`);
    expect(issued.status).toBe(200);
  });

  test('sends invitations, and validates the password of an acceptance', async () => {
    const { body } = await admin.get<{ workspaces: { id: string }[] }>('/api/workspaces');
    const workspaces = [{ workspace_id: body.workspaces[0]?.id, role: 'viewer' }];
    const invited = await admin.post('/api/users/invite', { email: 'ada@example.com', workspaces });
    expect(invited.status).toBe(201);
    const invitation_token = await mailbox.secretFor('ada@example.com');
    const accept = (chosen: string) =>
      new Client(service.url).post<{ code: string }>('/api/auth/token', {
        grant_type: 'invitation',
        invitation_token,
        password: chosen,
      });
    expect((await accept('password password')).body.code).toBe('password_rejected');
    expect((await accept(password)).status).toBe(200);
  });

  test('serves the portal with its assets, and the API description', async () => {
    const page = await (await fetch(`${service.url}/`, { headers: { accept: 'text/html' } })).text();
    const assets = [...page.matchAll(/(?:src|href)="\.?(\/assets\/[^"]+)"/g)].map(([, path]) => String(path));
    expect(assets.length).toBeGreaterThan(0);
    for (const path of [...assets, '/embed.js', '/openapi.json']) {
      expect([path, await statusOf(path)]).toEqual([path, 200]);
    }
  });

  test('refuses /docs, whose page is a development package, and names the document', async () => {
    expect(await new Client(service.url).get('/docs')).toMatchObject({
      status: 404,
      body: { code: 'route_not_found', detail: expect.stringContaining('/openapi.json') },
    });
  });

  test('shuts down cleanly', async () => {
    await service.close();
    expect([service.process.exitCode, service.output()]).toEqual([0, '']);
  });
});
