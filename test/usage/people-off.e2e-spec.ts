import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { vitrine } from '../support/cli.js';
import { startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { rollUp } from './figures.js';
import { issue, opening, send } from './usage-api.js';

let service: Service;
let workspace: Workspace;
let report: Report;
let day: string;

/** A view that was recorded while no people are stored. */
beforeAll(async () => {
  service = await startService({ USAGE_PEOPLE: 'off' });
  workspace = await service.factory.workspace();
  report = await service.factory.report(workspace);
  const user = await service.factory.user();
  const token = await issue(service, user, report);
  const at = service.clock.now();
  day = at.toISOString().slice(0, 10);
  await send(await service.as(user), opening({ token, at }));
  await rollUp(service);
});
afterAll(() => service.close());

test('vitrine usage export has no number of viewers that are not stored', async () => {
  const { code, stdout } = await vitrine(service.environment, ['usage', 'export', '--format', 'ndjson']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ report_id: report.id, views: 1, viewers: null });
});

test('viewers of days without people are unknown after USAGE_PEOPLE is set to named', async () => {
  const environment = { ...service.environment, USAGE_PEOPLE: 'named' };
  const replica = await startInProcessReplica({ ...service, environment });
  try {
    const admin = replica.as(await service.asAdmin());
    const expected = { views: 1, viewers: null };
    for (const path of ['overview', `reports/${report.id}`, `workspaces/${workspace.id}`])
      for (const period of [`from=${day}`, 'days=30'])
        expect((await admin.get(`/api/usage/${path}?${period}`)).body).toMatchObject(expected);
    expect((await admin.get('/api/usage/reports')).body).toMatchObject({ reports: [expected] });
    expect((await admin.get('/api/usage/workspaces')).body).toMatchObject({ workspaces: [expected] });
    const exported = await vitrine(environment, ['usage', 'export', '--format', 'ndjson']);
    expect(JSON.parse(exported.stdout)).toMatchObject(expected);
  } finally {
    await replica.close();
  }
});
