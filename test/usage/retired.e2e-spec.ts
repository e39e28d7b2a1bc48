import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { type Client, comparable } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { plant, rollUp } from './figures.js';

let service: Service;
let report: Report;
let foreign: Report;
let admin: Client;
let manager: Client;
let viewer: Client;

/** A used report that was retired since. */
async function retired(workspace: Workspace): Promise<Report> {
  const made = await service.factory.report(workspace, { name: 'Closed deals', retiredAt: new Date() });
  await service.database.query(
    'INSERT INTO usage_report_day (day, report_id, by_admin, workspace_id, views) VALUES ($1, $2, false, $3, 7)',
    [service.clock.now().toISOString().slice(0, 10), made.id, workspace.id],
  );
  return made;
}

beforeAll(async () => {
  service = await startService({ USAGE_VISIBLE_TO_VIEWERS: 'true' });
  service.clock.leaveEndOfDayAndHour();
  const { factory } = service;
  const sales = await factory.workspace();
  report = await retired(sales);
  foreign = await retired(await factory.workspace());
  const [max, ada] = [await factory.user(), await factory.user()];
  await factory.grant(max, sales, 'manager');
  await factory.grant(ada, sales, 'viewer');
  admin = await service.asAdmin();
  manager = await service.as(max);
  viewer = await service.as(ada);
});
afterAll(() => service.close());

const listed = async (api: Client): Promise<string[]> => {
  const { body } = await api.get<{ reports: { report_id: string }[] }>('/api/usage/reports?days=1');
  return body.reports.map(({ report_id }) => report_id).toSorted();
};

test('200: whoever sees a retired report in the list may read its figures and pages', async () => {
  expect(await listed(admin)).toEqual([report.id, foreign.id].toSorted());
  expect(await listed(manager)).toEqual([report.id]);
  for (const api of [admin, manager]) {
    expect(await api.get(`/api/usage/reports/${report.id}`)).toMatchObject({
      status: 200,
      body: { name: 'Closed deals', retired_at: report.retiredAt?.toISOString() },
    });
    expect((await api.get(`/api/usage/reports/${report.id}/pages`)).status).toBe(200);
  }
  expect((await admin.get(`/api/usage/reports/${foreign.id}`)).status).toBe(200);
});

test('404: for others it does not exist', async () => {
  for (const [api, id] of [
    [manager, foreign.id],
    [viewer, report.id],
  ] as const)
    for (const part of ['', '/pages'])
      expect(comparable(await api.get(`/api/usage/reports/${id}${part}`))).toEqual(
        comparable(await api.get(`/api/usage/reports/${randomUUID()}${part}`)),
      );
});

test('a workspace that was used and is retired since is in the list of workspaces, and its figures can be read', async () => {
  const { factory, clock } = service;
  const closed = await factory.workspace({ name: 'Closed', retiredAt: new Date() });
  const unused = await factory.workspace({ name: 'Never used', retiredAt: new Date() });
  const deals = await factory.report(closed, { retiredAt: new Date() });
  await plant(service, [{ report: deals, person: (await factory.user()).id, at: clock.now().toISOString() }]);
  await rollUp(service);
  const { body } = await admin.get<{ workspaces: { workspace_id: string }[] }>(
    '/api/usage/workspaces?days=1',
  );
  expect(body.workspaces).toContainEqual(
    expect.objectContaining({ workspace_id: closed.id, name: 'Closed', views: 1 }),
  );
  expect(body.workspaces.map(({ workspace_id }) => workspace_id)).not.toContain(unused.id);
  expect(await admin.get(`/api/usage/workspaces/${closed.id}?days=1`)).toMatchObject({
    status: 200,
    body: { name: 'Closed', views: 1 },
  });
  expect((await manager.get(`/api/usage/workspaces/${closed.id}`)).status).toBe(404);
});
