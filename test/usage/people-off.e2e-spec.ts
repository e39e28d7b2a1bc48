import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { vitrine } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';
import { rollUp } from './figures.js';
import { issue, opening, send } from './usage-api.js';

let service: Service;
let workspace: Workspace;
let report: Report;

/** A view that was recorded while no people are stored. */
beforeAll(async () => {
  service = await startService({ USAGE_PEOPLE: 'off' });
  workspace = await service.factory.workspace();
  report = await service.factory.report(workspace);
  const user = await service.factory.user();
  const token = await issue(service, user, report);
  await send(await service.as(user), opening({ token, at: service.clock.now() }));
  await rollUp(service);
});
afterAll(() => service.close());

test('vitrine usage export has no number of viewers that are not stored', async () => {
  const { code, stdout } = await vitrine(service.environment, ['usage', 'export', '--format', 'ndjson']);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ report_id: report.id, views: 1, viewers: null });
});
