import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
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
    const all = await count(fixture.powerBi.admin.list());
    expect(all).toEqual({ workspaces: 450, reports: 450 * 12 });
    expect(await fixture.calls(/admin\/groups$/)).toHaveLength(3);
  });

  test('returns the same content as the regular listing', async () => {
    const { powerBi } = await fixtureOf();
    let found: PbiWorkspaceContent | undefined;
    for await (const workspace of powerBi.admin.list()) {
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
    const counting = count(fixture.powerBi.admin.list({ patient: true, meter }));
    await until(() => time.sleeping === 1);
    expect(await fixture.calls(/admin\/groups$/)).toHaveLength(15);
    expect(await failureOf(count(fixture.powerBi.admin.list()))).toMatchObject({
      code: 'power_bi_throttled',
      retryAfter: 60,
    });
    expect((await fixture.powerBi.listWorkspaces()).length).toBe(3200);
    time.advance(60.1);
    expect((await counting).workspaces).toBe(3200);
    expect(meter).toMatchObject({ calls: 17, throttledSeconds: 60 });
  });

  test('finds workspaces by id, several in each call', async () => {
    const fixture = await fixtureOf();
    await fixture.content({ workspaces: 50, reports_per_workspace: 2 });
    const ids = (await fixture.powerBi.listWorkspaces()).map(({ pbiWorkspaceId }) => pbiWorkspaceId);
    const found: string[] = [];
    for await (const { pbiWorkspaceId, reports } of fixture.powerBi.admin.find([
      ...ids.slice(0, 45),
      crypto.randomUUID(),
    ])) {
      expect(reports).toHaveLength(2);
      found.push(pbiWorkspaceId);
    }
    expect(found.toSorted()).toEqual(ids.slice(0, 45).toSorted());
    expect(await fixture.calls(/admin\/groups$/)).toHaveLength(3);
  });

  describe('requests smaller pages', () => {
    async function startSlowFrom(top: number, fail: (response: ServerResponse) => void) {
      const asked: number[] = [];
      const server = await startFaultyServer((request, response) => {
        asked.push(Number(new URL(String(request.url), 'http://x').searchParams.get('$top')));
        if (asked.at(-1)! >= top) fail(response);
        else response.end('{"value": []}');
      });
      closing.push(server);
      const { powerBi } = await fixtureOf({ config: { apiUrl: server.url } });
      return { asked, list: () => count(powerBi.admin.list()) };
    }

    test('when a response would be too large', async () => {
      const { asked, list } = await startSlowFrom(200, (response) =>
        response.end(Buffer.alloc(65 * 1024 * 1024, ' ')),
      );
      expect(await list()).toEqual({ workspaces: 0, reports: 0 });
      expect(asked).toEqual([200, 100]);
    });

    test.each([408, 504])('when Microsoft ends the call with %i', async (status) => {
      const { asked, list } = await startSlowFrom(60, (response) => response.writeHead(status).end());
      expect(await list()).toEqual({ workspaces: 0, reports: 0 });
      expect(asked).toEqual([200, 100, 50]);
    });

    test('for some pages only, if Microsoft was slow for a moment', async () => {
      const asked: number[] = [];
      const page = (size: number) =>
        JSON.stringify({
          value: Array.from({ length: size }, () => ({
            id: crypto.randomUUID(),
            name: 'Sales',
            type: 'Workspace',
            reports: [],
            datasets: [],
          })),
        });
      const server = await startFaultyServer((request, response) => {
        const top = Number(new URL(String(request.url), 'http://x').searchParams.get('$top'));
        asked.push(top);
        if (asked.length === 1) response.writeHead(504).end();
        else response.end(page(asked.length < 8 ? top : 0));
      });
      closing.push(server);
      const { powerBi } = await fixtureOf({ config: { apiUrl: server.url } });
      expect(await count(powerBi.admin.list())).toEqual({ workspaces: 700, reports: 0 });
      expect(asked).toEqual([200, 100, 100, 100, 100, 100, 200, 200]);
    });

    test('when there is no response in time', async () => {
      const inTime = AbortSignal.timeout.bind(AbortSignal);
      let pages = 0;
      // Only the first page, which gets no response, has a short limit.
      const timeouts = jest
        .spyOn(AbortSignal, 'timeout')
        .mockImplementation((ms) => inTime(ms === 35_000 && (pages += 1) === 1 ? 500 : ms));
      closing.push({ close: async () => timeouts.mockRestore() });
      const { asked, list } = await startSlowFrom(200, () => undefined);
      expect(await list()).toEqual({ workspaces: 0, reports: 0 });
      expect(asked).toEqual([200, 100]);
    });

    test('but not after other failures, and not less than one workspace', async () => {
      const failing = await startSlowFrom(1, (response) => response.writeHead(500).end());
      expect(await failureOf(failing.list())).toMatchObject({ code: 'power_bi_unavailable' });
      expect(failing.asked).toEqual([200, 200, 200]);
      const slow = await startSlowFrom(1, (response) => response.writeHead(504).end());
      expect(await failureOf(slow.list())).toMatchObject({ code: 'power_bi_unavailable' });
      expect(slow.asked).toEqual([200, 100, 50, 25, 13, 7, 4, 2, 1, 1, 1]);
    });
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
