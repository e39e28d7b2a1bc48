import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { powerBiFixture, type PowerBiFixture, sales } from './power-bi-fixture.js';

const revenue = 'b0000001-0000-4000-8000-000000000001';
const revenueData = 'c0000001-0000-4000-8000-000000000001';
const myCustomers = 'b0000001-0000-4000-8000-000000000004';
const customerData = 'c0000001-0000-4000-8000-000000000002';

let fixture: PowerBiFixture;

beforeAll(async () => {
  fixture = await powerBiFixture();
});
afterAll(async () => fixture.close());

const embed = { isPaginated: false, allowEdit: false, identities: [], lifetimeMinutes: 45 };

describe('the catalogue', () => {
  test('lists every workspace in which the principal has a role', async () => {
    const workspaces = await fixture.powerBi.listWorkspaces();
    expect(workspaces).toContainEqual({ pbiWorkspaceId: sales, name: 'Sales', onCapacity: true });
    expect(workspaces.some(({ onCapacity }) => !onCapacity)).toBe(true);
  });

  test('lists the reports of a workspace', async () => {
    const reports = await fixture.powerBi.listReports(sales);
    expect(reports.find(({ pbiReportId }) => pbiReportId === revenue)).toMatchObject({
      name: 'Revenue overview',
      reportType: 'PowerBIReport',
      pbiDatasetId: revenueData,
      embedUrl: expect.stringContaining(`reportId=${revenue}`),
    });
    expect(reports.some(({ reportType }) => reportType === 'PaginatedReport')).toBe(true);
  });

  test('reads the identity flags of datasets', async () => {
    const datasets = await fixture.powerBi.listDatasets(sales);
    expect(datasets.find(({ pbiDatasetId }) => pbiDatasetId === customerData)).toMatchObject({
      identityRequired: true,
      identityRolesRequired: false,
    });
  });

  test('denies workspaces in which the principal has no role', async () => {
    await expect(fixture.powerBi.listReports('00000000-0000-4000-8000-00000000dead')).rejects.toMatchObject({
      code: 'power_bi_access_denied',
    });
  });
});

describe('embed tokens', () => {
  test('have the requested lifetime', async () => {
    const issued = await fixture.powerBi.generateToken({
      ...embed,
      reports: [revenue],
      datasets: [revenueData],
    });
    expect(issued.expiresIn).toBeGreaterThan(44 * 60);
    expect(issued.expiresIn).toBeLessThanOrEqual(45 * 60);
    expect(issued.token.length).toBeGreaterThan(100);
  });

  test('require an identity when the dataset does', async () => {
    const asked = { ...embed, reports: [myCustomers], datasets: [customerData] };
    await expect(fixture.powerBi.generateToken(asked)).rejects.toMatchObject({
      code: 'power_bi_identity_required',
    });
    const identities = [{ username: 'ada@example.com', roles: [], datasets: [customerData] }];
    await expect(fixture.powerBi.generateToken({ ...asked, identities })).resolves.toHaveProperty('token');
  });

  test('reject an identity when the dataset accepts none', async () => {
    const identities = [{ username: 'ada@example.com', roles: [], datasets: [revenueData] }];
    await expect(
      fixture.powerBi.generateToken({ ...embed, reports: [revenue], datasets: [revenueData], identities }),
    ).rejects.toMatchObject({ code: 'power_bi_identity_refused' });
  });

  test('of a missing report are rejected', async () => {
    const gone = 'b0000001-0000-4000-8000-00000000dead';
    await expect(
      fixture.powerBi.generateToken({ ...embed, reports: [gone], datasets: [revenueData] }),
    ).rejects.toMatchObject({ code: 'power_bi_report_missing' });
  });
});
