import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Report } from '../src/reports/report.entity.js';
import type { User } from '../src/users/user.entity.js';
import type { Workspace } from '../src/workspaces/workspace.entity.js';
import { Client, comparable } from './support/client.js';
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

  test('409: more than 500', async () => {
    const user = await service.factory.user();
    await service.factory.grant(user, sales);
    const client = await service.as(user);
    const { id: workspaceId } = await service.factory.workspace();
    await service.database.query(
      `WITH made AS (
         INSERT INTO reports (id, workspace_id, pbi_report_id, name, report_type, embed_url, updated_at)
         SELECT gen_random_uuid(), $1, gen_random_uuid(), 'R', 'PowerBIReport', '', now() FROM generate_series(1, 500)
         RETURNING id)
       INSERT INTO favourites SELECT $2, id, now() FROM made`,
      [workspaceId, user.id],
    );
    const report = await service.factory.report(sales);
    expect(await client.put(`/api/reports/${report.id}/favourite`)).toMatchObject({
      status: 409,
      body: { code: 'too_many_favourites' },
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
    const account = await admin.post<{ id: string; client_secret: string }>('/api/service-accounts', {
      name: 'Kiosk',
      role: 'admin',
    });
    const { body: token } = await service.api.post<{ access_token: string }>('/api/auth/token', {
      grant_type: 'client_credentials',
      client_id: account.body.id,
      client_secret: account.body.client_secret,
    });
    const kiosk = new Client(service.url, token.access_token);
    expect((await kiosk.post(`/api/reports/${id}/embed-token`)).status).toBe(200);
    expect(await recentsOf(kiosk)).toEqual([]);
  });
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
