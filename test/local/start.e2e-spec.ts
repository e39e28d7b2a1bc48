import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../local/free-port.js';
import { Started, temporaryDataDir } from './started.js';
import { until } from '../support/until.js';

const { dataDir, remove } = temporaryDataDir();
let started: Started;

beforeAll(async () => {
  started = await new Started(dataDir, { PORT: String(await freePort()) }).ready();
});

afterAll(async () => {
  await started?.signal('SIGTERM');
  await remove();
});

const run = (command: string) =>
  JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' })) as unknown;

describe('a local start', () => {
  test('prints three commands that work unchanged', () => {
    const [workspaces = '', reports = '', embed = '', ...others] = started.commands;
    expect(others).toEqual([]);
    const workspace = { id: expect.any(String), name: 'Sales', report_count: expect.any(Number) };
    expect(run(workspaces)).toMatchObject({
      workspaces: expect.arrayContaining([expect.objectContaining(workspace)]),
    });
    const report = { id: expect.any(String), report_type: 'PowerBIReport' };
    expect(run(reports)).toMatchObject({
      reports: expect.arrayContaining([expect.objectContaining(report)]),
    });
    expect(run(embed)).toMatchObject({
      token: expect.any(String),
      embed_url: expect.stringContaining('http'),
    });
  });

  test('prints the URL of the portal, which responds', async () => {
    const [, portal = ''] = /^ +portal +(\S+)/m.exec(started.output) ?? [];
    const page = await fetch(portal);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      expect.stringContaining('text/html'),
    ]);
    expect(await page.text()).toContain('id="root"');
  });

  test('CFG-06 runs the service with a role that is not the owner, as in production', () => {
    const source = 'set -a && . "$1" && set +a && exec "$2" dist/src/cli/vitrine.js doctor --json';
    const args = ['-c', source, 'sh', join(dataDir, 'service.env'), process.execPath];
    // It ends with 1: the demo has a workspace that does not embed.
    const { stdout } = spawnSync('sh', args, { env: {}, encoding: 'utf8' });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string }[] };
    expect(findings).toContainEqual(expect.objectContaining({ check: 'database_settings', status: 'ok' }));
    expect(readFileSync(join(dataDir, 'service.env'), 'utf8')).toMatch(
      /^DATABASE_URL='postgres:\/\/vitrine_app:/m,
    );
  });

  test('makes its secret files readable for their owner only', () => {
    for (const name of [
      'admin.json',
      'jwt-keys.json',
      'secret-key',
      'postgres.json',
      'service.env',
      'lock',
    ]) {
      expect([name, statSync(join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    }
  });

  test('stores the URL of the emulator', async () => {
    const { url } = JSON.parse(readFileSync(join(dataDir, 'emulator.json'), 'utf8')) as { url: string };
    expect((await fetch(`${url}/__emulator/calls`)).status).toBe(200);
  });

  test('runs an identity provider that keeps its URL across starts', async () => {
    const { issuer } = JSON.parse(readFileSync(join(dataDir, 'identity-provider.json'), 'utf8')) as {
      issuer: string;
    };
    expect(started.output).toContain(new URL(issuer).origin);
    const challenge = 'A'.repeat(43);
    const response = await fetch(`${started.url}/login?code_challenge=${challenge}`, { redirect: 'manual' });
    expect(response.headers.get('location')).toMatch(
      new RegExp(`^${new URL(issuer).origin}/.*client_id=vitrine`),
    );
  });

  test('writes settings that the command line can use', () => {
    const source = 'set -a && . "$1" && set +a && exec "$2" dist/src/cli/vitrine.js users list';
    const args = ['-c', source, 'sh', join(dataDir, 'service.env'), process.execPath];
    const listed = execFileSync('sh', args, { env: {}, encoding: 'utf8' });
    expect(listed).toContain(started.admin.email);
    expect(readFileSync(join(dataDir, 'service.env'), 'utf8')).not.toMatch(/^(PATH|HOME|DATA_DIR)=/m);
  });

  test('gives every dataset that requires an identity a policy', async () => {
    const token = await started.signIn();
    type Dataset = { identity_required: boolean | null; identity_policy: object | null };
    const { datasets } = await started.get<{ datasets: Dataset[] }>('/api/datasets', token);
    const guarded = datasets.filter((each) => each.identity_required);
    expect(guarded.length).toBeGreaterThanOrEqual(2);
    expect(guarded.filter((each) => each.identity_policy === null)).toEqual([]);
  });

  test('delivers email to a folder and prints its link', async () => {
    const email = 'eve@vitrine.example';
    const response = await started.post('/api/users/invite', { email }, await started.signIn());
    expect(response.status).toBe(201);
    const arrived = () => readdirSync(join(dataDir, 'mail')).filter((name) => name.endsWith(`${email}.eml`));
    await until(() => arrived().length > 0);
    expect(readFileSync(join(dataDir, 'mail', arrived()[0] ?? ''), 'utf8')).toMatch(
      /^To: .*eve@vitrine\.example/m,
    );
    await until(() => started.output.includes(`${started.url}/invitation#token=`));
  });
});
