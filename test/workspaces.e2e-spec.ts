import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Service, startService } from './support/service.js';

let service: Service;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('GET /api/workspaces', () => {
  test('200: exactly the four fields, under the key workspaces', async () => {
    const { factory, as } = service;
    const ada = await factory.user();
    const sales = await factory.workspace({ name: 'Sales' });
    await factory.report(sales);
    await factory.grant(ada, sales);
    const answer = await (await as(ada)).get('/api/workspaces');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      workspaces: [{ id: sales.id, name: 'Sales', pbi_workspace_id: sales.pbiWorkspaceId, report_count: 1 }],
    });
  });
});
