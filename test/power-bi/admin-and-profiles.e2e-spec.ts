import { afterEach, describe, expect, test } from '@jest/globals';
import { demoTenant } from '@vitrine/power-bi-emulator';
import type { PbiWorkspaceContent } from '../../src/power-bi/power-bi.types.js';
import { until } from '../support/until.js';
import { FakeTime } from './fake-time.js';
import { startFaultyServer } from './faulty-server.js';
import { failureOf, powerBiFixture, type PowerBiFixture, sales } from './power-bi-fixture.js';

const closing: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of closing.splice(0).toReversed()) await each.close();
});

async function fixtureOf(options: Parameters<typeof powerBiFixture>[0] = {}) {
  const fixture = await powerBiFixture(options);
  closing.push(fixture);
  return fixture;
}

async function count(items: AsyncIterable<{ reports: unknown[] }>) {
  let workspaces = 0;
  let reports = 0;
  for await (const item of items) {
    workspaces += 1;
    reports += item.reports.length;
  }
  return { workspaces, reports };
}

describe('the admin listing', () => {
  test('reads everything with few calls', async () => {
    const fixture = await fixtureOf();
    await fixture.content({ workspaces: 450, reports_per_workspace: 12 });
    const all = await count(fixture.powerBi.listWorkspacesAsAdmin());
    expect(all).toEqual({ workspaces: 450, reports: 450 * 12 });
    expect(await fixture.calls(/admin\/groups$/)).toHaveLength(3);
  });

  test('returns the same content as the regular listing', async () => {
    const { powerBi } = await fixtureOf();
    let found: PbiWorkspaceContent | undefined;
    for await (const workspace of powerBi.listWorkspacesAsAdmin()) {
      if (workspace.pbiWorkspaceId === sales) found = workspace;
    }
    expect(found?.datasets).toEqual(await powerBi.listDatasets(sales));
    expect(found?.reports).toEqual(await powerBi.listReports(sales));
  });

  test('respects fifteen calls a minute and fifty an hour, separately from other calls', async () => {
    const time = new FakeTime();
    closing.push({ close: async () => time.end() });
    const fixture = await fixtureOf({ parts: { timing: time } });
    await fixture.content({ workspaces: 3200, reports_per_workspace: 1 });
    const meter = { calls: 0, throttledSeconds: 0 };
    const counting = count(fixture.powerBi.listWorkspacesAsAdmin({ patient: true, meter }));
    await until(() => time.sleeping === 1);
    expect(await fixture.calls(/admin\/groups$/)).toHaveLength(15);
    expect(await failureOf(count(fixture.powerBi.listWorkspacesAsAdmin()))).toMatchObject({
      code: 'power_bi_throttled',
      retryAfter: 60,
    });
    expect((await fixture.powerBi.listWorkspaces()).length).toBe(3200);
    time.advance(60.1);
    expect((await counting).workspaces).toBe(3200);
    expect(meter).toMatchObject({ calls: 17, throttledSeconds: 60 });
  });

  test('requests smaller pages when a response would be too large', async () => {
    const asked: unknown[] = [];
    const server = await startFaultyServer((request, response) => {
      const top = new URL(String(request.url), 'http://x').searchParams.get('$top');
      asked.push(top);
      response.end(top === '200' ? Buffer.alloc(65 * 1024 * 1024, ' ') : '{"value": []}');
    });
    closing.push(server);
    const { powerBi } = await fixtureOf({ config: { apiUrl: server.url } });
    expect(await count(powerBi.listWorkspacesAsAdmin())).toEqual({ workspaces: 0, reports: 0 });
    expect(asked).toEqual(['200', '100']);
  });
});

async function newProfile({ emulator: { url } }: PowerBiFixture): Promise<string> {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: demoTenant.clientId,
    client_secret: demoTenant.clientSecret,
    scope: 'https://analysis.windows.net/powerbi/api/.default',
  });
  const signIn = `${url}/${demoTenant.tenantId}/oauth2/v2.0/token`;
  const signedIn = await fetch(signIn, { method: 'POST', body: form });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const made = await fetch(`${url}/v1.0/myorg/profiles`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ displayName: 'Contoso' }),
  });
  return ((await made.json()) as { id: string }).id;
}

describe('service principal profiles', () => {
  test('see the workspaces of the profile, not those of its principal', async () => {
    const fixture = await fixtureOf();
    const profileId = await newProfile(fixture);
    expect(await fixture.powerBi.listWorkspaces({ profileId })).toEqual([]);
    expect(await failureOf(fixture.powerBi.listReports(sales, { profileId }))).toMatchObject({
      code: 'power_bi_access_denied',
    });
    expect((await fixture.powerBi.listWorkspaces()).length).toBeGreaterThan(0);
  });

  test('of another principal are rejected', async () => {
    const { powerBi } = await fixtureOf();
    const profileId = '00000000-0000-4000-8000-00000000beef';
    expect(await failureOf(powerBi.listWorkspaces({ profileId }))).toMatchObject({
      code: 'power_bi_access_denied',
    });
  });
});
