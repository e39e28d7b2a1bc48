import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  CatalogueReconciliationService,
  type WorkspaceContent,
} from '../../src/catalogue/catalogue-reconciliation.service.js';
import {
  type ListedWorkspace,
  WorkspaceListingService,
} from '../../src/catalogue/workspace-listing.service.js';
import { type Service, startService } from '../support/service.js';
import { setContent, syncOnce } from '../support/syncing.js';

const odd = 'Zürich; 7:é 😀 \\ "quoted" — 日本';
let service: Service;
let mirror: CatalogueReconciliationService;
let workspace: ListedWorkspace;
let content: WorkspaceContent;

beforeAll(async () => {
  service = await startService();
  const admin = await service.asAdmin();
  const reports = [{ name: odd }, { name: 'b' }, { name: 'B' }];
  await setContent(service, {
    workspaces: [{ name: odd, reports, datasets: [{ name: odd }, { name: '-' }] }, { name: 'Empty' }],
  });
  await syncOnce(admin);
  mirror = service.app.get(CatalogueReconciliationService);
  [workspace] = (await service.app.get(WorkspaceListingService).list({})) as [ListedWorkspace];
  content = await mirror.fetch(workspace, {});
});
afterAll(() => service.close());

async function isStored(now: WorkspaceContent, { pbiWorkspaceId } = workspace): Promise<boolean> {
  const stored = (await mirror.loadSnapshot([pbiWorkspaceId])).get(pbiWorkspaceId);
  return stored !== undefined && mirror.isStored(now, stored);
}

test('unchanged content is recognized in any order, without a transaction', async () => {
  const turned = { reports: content.reports.toReversed(), datasets: content.datasets.toReversed() };
  expect([await isStored(content), await isStored(turned)]).toEqual([true, true]);
  const [, empty] = await service.app.get(WorkspaceListingService).list({});
  expect(await isStored({ reports: [], datasets: [] }, empty)).toBe(true);
});

test.each<[string, (was: WorkspaceContent) => WorkspaceContent]>([
  [
    'a name',
    ({ reports: [first, ...rest], datasets }) => ({ reports: [{ ...first!, name: 'b' }, ...rest], datasets }),
  ],
  [
    'a description',
    ({ reports: [first, ...rest], datasets }) => ({
      reports: [{ ...first!, description: '' }, ...rest],
      datasets,
    }),
  ],
  ['a missing report', ({ reports: [, ...rest], datasets }) => ({ reports: rest, datasets })],
  ['a missing dataset', ({ reports, datasets: [, ...rest] }) => ({ reports, datasets: rest })],
  [
    'a flag',
    ({ reports, datasets: [first, ...rest] }) => ({
      reports,
      datasets: [{ ...first!, identityRequired: true }, ...rest],
    }),
  ],
])('%s is recognized as a change', async (_name, change) => {
  expect(await isStored(change(content))).toBe(false);
});

test('missing and retired items are compared again', async () => {
  const mark = (column: string, value: string) =>
    service.database.query(`UPDATE reports SET ${column} = ${value} WHERE name = 'B'`);
  await mark('missing_since', 'now()');
  expect(await isStored(content)).toBe(false);
  await mark('missing_since', 'NULL');
  await mark('retired_at', 'now()');
  expect(await isStored(content)).toBe(false);
  await mark('retired_at', 'NULL');
  expect(await isStored(content)).toBe(true);
});
