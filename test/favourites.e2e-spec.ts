import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { FavouritesService } from '../src/reports/favourites/favourites.service.js';
import type { Report } from '../src/reports/report.entity.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { asServiceAccount, type Client, comparable } from './support/client.js';
import { type Service, startService } from './support/service.js';
import { issue } from './usage/usage-api.js';

let service: Service;
let sales: Workspace;
let ada: User;
let api: Client;

beforeAll(async () => {
  service = await startService();
  sales = await service.factory.workspace();
  ada = await service.factory.user();
  await service.factory.grant(ada, sales);
  api = await service.as(ada);
});
afterAll(() => service.close());

interface Listed {
  favourites: { id: string }[];
  recents: { id: string }[];
}

const favouritesOf = async (client: Client): Promise<string[]> =>
  (await client.get<Listed>('/api/users/me/favourites')).body.favourites.map(({ id }) => id);
const recentsOf = async (client: Client): Promise<string[]> =>
  (await client.get<Listed>('/api/users/me/recents')).body.recents.map(({ id }) => id);

async function open(user: User, ...reports: Report[]): Promise<void> {
  for (const report of reports) {
    service.clock.advance(1);
    await issue(service, user, report);
  }
}

describe('PUT /api/reports/:id/favourite', () => {
  test('204: repeated, and newest first in the list, as in GET /api/reports', async () => {
    const [first, second] = [await service.factory.report(sales), await service.factory.report(sales)];
    for (const { id } of [first, second, first]) {
      service.clock.advance(1);
      expect(await api.put(`/api/reports/${id}/favourite`)).toMatchObject({ status: 204 });
    }
    expect(await favouritesOf(api)).toEqual([second.id, first.id]);
    const { body } = await api.get<Listed>('/api/users/me/favourites');
    expect(body.favourites[0]).toEqual((await api.get(`/api/reports/${second.id}`)).body);
  });

  test('404: the response of GET for a foreign, a retired and an unknown report', async () => {
    const { factory } = service;
    const ids = [
      (await factory.report(await factory.workspace())).id,
      (await factory.report(sales, { retiredAt: new Date() })).id,
      uuidv7(),
    ];
    for (const id of ids) {
      const expected = comparable(await api.get(`/api/reports/${id}`));
      expect(comparable(await api.put(`/api/reports/${id}/favourite`))).toEqual(expected);
      expect(comparable(await api.delete(`/api/reports/${id}/favourite`))).toEqual(expected);
    }
  });

  describe('with 500 favourites', () => {
    const usedBy = async (user: User): Promise<string> => {
      const workspace = await service.factory.workspace();
      await service.factory.grant(user, workspace);
      await service.database.query(
        `WITH made AS (
           INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at)
           SELECT gen_random_uuid(), $1, gen_random_uuid(), 'R', 'PowerBIReport', '', now() FROM generate_series(1, 500)
           RETURNING id)
         INSERT INTO favourites SELECT $2, id, $3 FROM made`,
        [workspace.id, user.id, service.clock.now()],
      );
      return workspace.id;
    };
    let user: User;
    let client: Client;
    let used: string;

    beforeEach(async () => {
      user = await service.factory.user();
      await service.factory.grant(user, sales);
      client = await service.as(user);
      used = await usedBy(user);
      service.clock.advance(1);
    });

    test('409: another one', async () => {
      const report = await service.factory.report(sales);
      expect(await client.put(`/api/reports/${report.id}/favourite`)).toMatchObject({
        status: 409,
        body: { code: 'too_many_favourites' },
      });
      const [first] = await favouritesOf(client);
      expect((await client.put(`/api/reports/${first}/favourite`)).status).toBe(204);
      expect(await favouritesOf(client)).toHaveLength(500);
    });

    test.each([
      ['that the person can no longer see', 'DELETE FROM grants WHERE workspace_id = $1'],
      ['of retired reports', 'UPDATE reports SET retired_at = now() WHERE workspace_id = $1'],
    ])('204: takes the place of one %s', async (_which, hide) => {
      await service.database.query(hide, [used]);
      service.changed();
      const added: string[] = [];
      for (let count = 0; count < 2; count += 1) {
        service.clock.advance(1);
        const { id } = await service.factory.report(sales);
        expect((await client.put(`/api/reports/${id}/favourite`)).status).toBe(204);
        added.unshift(id);
      }
      expect(await favouritesOf(client)).toEqual(added);
      const stored = await service.database.query('SELECT FROM favourites WHERE user_id = $1', [user.id]);
      expect(stored).toHaveLength(500);
    });
  });
});

describe('DELETE /api/reports/:id/favourite', () => {
  test('204: also if it is none', async () => {
    const { id } = await service.factory.report(sales);
    await api.put(`/api/reports/${id}/favourite`);
    for (const _ of [1, 2]) expect((await api.delete(`/api/reports/${id}/favourite`)).status).toBe(204);
    expect(await favouritesOf(api)).not.toContain(id);
  });
});

describe('GET /api/users/me/favourites', () => {
  test("200: neither another person's favourites nor reports that are no longer visible", async () => {
    const { factory } = service;
    const finance = await factory.workspace();
    const eva = await factory.user();
    await factory.grant(eva, finance);
    const client = await service.as(eva);
    const report = await factory.report(finance);
    await client.put(`/api/reports/${report.id}/favourite`);
    expect(await favouritesOf(client)).toEqual([report.id]);
    expect(await favouritesOf(api)).not.toContain(report.id);
    await service.database.query('DELETE FROM grants WHERE user_id = $1', [eva.id]);
    service.changed();
    expect(await favouritesOf(client)).toEqual([]);
  });
});

describe('GET /api/users/me/recents', () => {
  test('200: last opened first, each once, at most 20, visible ones only', async () => {
    const { factory } = service;
    const user = await factory.user();
    await factory.grant(user, sales);
    const client = await service.as(user);
    const foreign = await factory.report(await factory.workspace());
    const reports: Report[] = [];
    for (let n = 0; n < 22; n += 1) reports.push(await factory.report(sales));
    await open(user, foreign, ...reports, reports[0]!);
    const expected = [reports[0]!, ...reports.slice(3).toReversed()].map(({ id }) => id);
    expect(await recentsOf(client)).toEqual(expected);
    expect(await recentsOf(api)).toEqual([]);
  });

  test('200: an embed token opens a report, also one that is issued again; one of a service account does not', async () => {
    await service.sync();
    const admin = await service.asAdmin();
    const idOf = async (name: string): Promise<string> => {
      const { body } = await admin.get<{ reports: { id: string }[] }>(`/api/reports?q=${name}`);
      return body.reports[0]!.id;
    };
    const [id, other] = [await idOf('Pipeline'), await idOf('Revenue overview')];
    for (const each of [id, other, id, other, id]) {
      service.clock.advance(1);
      expect((await admin.post(`/api/reports/${each}/embed-token`)).status).toBe(200);
    }
    expect(await recentsOf(admin)).toEqual([id, other]);
    const { body: account } = await admin.post<{ id: string; client_secret: string }>(
      '/api/service-accounts',
      { name: 'Kiosk', role: 'admin' },
    );
    const kiosk = await asServiceAccount(service.url, account);
    expect((await kiosk.post(`/api/reports/${id}/embed-token`)).status).toBe(200);
    expect(await recentsOf(kiosk)).toEqual([]);
  });
});

test('a favourite is kept for 30 days after its report was retired, in case it returns', async () => {
  const { factory, app, clock, database } = service;
  const { id } = await factory.report(sales);
  await api.put(`/api/reports/${id}/favourite`);
  const retire = (at: Date | null) =>
    database.query('UPDATE reports SET retired_at = $2 WHERE id = $1', [id, at]);
  await retire(clock.now());
  await app.get(FavouritesService).removeOld();
  await retire(null);
  expect(await favouritesOf(api)).toContain(id);
  await retire(clock.now());
  clock.advance(31 * 86_400);
  await app.get(FavouritesService).removeOld();
  await retire(null);
  // Its session has expired meanwhile.
  expect(await favouritesOf(await service.as(ada))).not.toContain(id);
});

test('erasing a user deletes their favourites', async () => {
  const { factory, database } = service;
  const eva = await factory.user();
  await factory.grant(eva, sales);
  const report = await factory.report(sales);
  await (await service.as(eva)).put(`/api/reports/${report.id}/favourite`);
  const admin = await service.asAdmin();
  await admin.patch(`/api/users/${eva.id}`, { status: 'disabled' });
  expect((await admin.post(`/api/users/${eva.id}/erase`)).status).toBe(204);
  expect(await database.query('SELECT FROM favourites WHERE user_id = $1', [eva.id])).toEqual([]);
});
