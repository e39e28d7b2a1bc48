import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { comparable } from './support/client.js';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

interface Reports {
  reports: { id: string; name: string }[];
}

describe('GET /api/reports', () => {
  test('AZ-08 200: exactly the fields of a report, under the key reports', async () => {
    const { factory, asMember } = service;
    const sales = await factory.workspace();
    const report = await factory.report(sales, { name: 'Revenue', webUrl: 'https://app.powerbi.com/r' });
    const { status, body } = await (await asMember(sales)).get('/api/reports');
    expect(status).toBe(200);
    expect(body).toEqual({
      reports: [
        {
          id: report.id,
          name: 'Revenue',
          description: null,
          workspace_id: sales.id,
          pbi_report_id: report.pbiReportId,
          pbi_dataset_id: report.pbiDatasetId,
          report_type: 'PowerBIReport',
          web_url: 'https://app.powerbi.com/r',
          updated_at: report.updatedAt.toISOString(),
          data_as_of: null,
          refresh_status: null,
          refresh_failed_since: null,
        },
      ],
    });
  });

  test("AZ-10 200: the reports of the caller's workspaces only, without retired ones", async () => {
    const { factory, asMember } = service;
    const [own, foreign] = [await factory.workspace(), await factory.workspace()];
    const mine = await factory.report(own);
    await factory.report(own, { retiredAt: new Date() });
    await factory.report(foreign);
    const { body } = await (await asMember(own)).get<Reports>('/api/reports');
    expect(body.reports.map(({ id }) => id)).toEqual([mine.id]);
  });

  test('200: filtered by workspace; a foreign one is treated like an empty one', async () => {
    const { factory, as } = service;
    const ada = await factory.user();
    const [sales, finance, foreign] = [
      await factory.workspace(),
      await factory.workspace(),
      await factory.workspace(),
    ];
    for (const workspace of [sales, finance]) await factory.grant(ada, workspace);
    const reports = [await factory.report(sales), await factory.report(finance)];
    await factory.report(foreign);
    const api = await as(ada);
    const idsIn = async (id: string) =>
      (await api.get<Reports>(`/api/reports?workspace_id=${id}`)).body.reports.map((report) => report.id);
    expect(await idsIn(finance.id)).toEqual([reports[1]?.id]);
    expect(await idsIn(foreign.id)).toEqual([]);
    expect(await idsIn(uuidv7())).toEqual([]);
  });

  test('400: an invalid workspace id', async () => {
    const admin = await service.asAdmin();
    const response = await admin.get('/api/reports?workspace_id=sales');
    expect(response.body.detail).toContain('workspace_id must be a UUID');
  });

  test('401: without a token', async () => {
    expect((await service.api.get('/api/reports')).status).toBe(401);
  });
});

describe('GET /api/reports/:id', () => {
  test('200: one report', async () => {
    const sales = await service.factory.workspace();
    const { id, name } = await service.factory.report(sales);
    const response = await (await service.asMember(sales)).get(`/api/reports/${id}`);
    expect(response).toMatchObject({ status: 200, body: { id, name, workspace_id: sales.id } });
  });

  test('400: an invalid id', async () => {
    const admin = await service.asAdmin();
    expect((await admin.get('/api/reports/7')).status).toBe(400);
  });

  test('AZ-03 404: the same response for a foreign, a retired and an unknown report', async () => {
    const { factory, asMember } = service;
    const [own, foreign] = [await factory.workspace(), await factory.workspace()];
    const ids = [
      (await factory.report(foreign)).id,
      (await factory.report(own, { retiredAt: new Date() })).id,
      uuidv7(),
    ];
    const member = await asMember(own);
    const responses = await Promise.all(ids.map((id) => member.get(`/api/reports/${id}`)));
    expect(responses[0]).toMatchObject({ status: 404, body: { code: 'report_not_found' } });
    for (const response of responses) expect(comparable(response)).toEqual(comparable(responses[0]!));
  });
});
