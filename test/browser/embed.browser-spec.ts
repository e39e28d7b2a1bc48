import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Report } from '../../src/reports/report.entity.js';
import { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type EmbedConfig, PowerBiPage } from '../support/powerbi-page.js';
import { type Service, startService } from '../support/service.js';

interface EmbedToken {
  token: string;
  embed_url: string;
  pbi_report_id: string;
}

let service: Service;
let page: PowerBiPage;
let sales: Workspace;

beforeAll(async () => {
  [service, page] = await Promise.all([startService(), PowerBiPage.open()]);
  await service.sync();
  sales = await service.database.getRepository(Workspace).findOneByOrFail({ name: 'Sales' });
});
afterAll(async () => {
  await page.close();
  await service.close();
});

async function embedTokenFor(name: string, caller: Client, body?: object): Promise<EmbedToken> {
  const { id } = await service.database.getRepository(Report).findOneByOrFail({ name });
  const response = await caller.post<EmbedToken>(`/api/reports/${id}/embed-token`, body);
  expect(response.status).toBe(200);
  return response.body;
}

/** What a portal does with the answer, word for word. */
const configOf = ({ pbi_report_id, embed_url, token }: EmbedToken): EmbedConfig => ({
  id: pbi_report_id,
  embedUrl: embed_url,
  accessToken: token,
});

const nameOfEvents = async (): Promise<string[]> => (await page.events()).map(({ name }) => name);

describe("a token of POST /api/reports/:id/embed-token in Microsoft's own client", () => {
  test('loads and renders the report', async () => {
    const viewer = await service.asMember(sales);
    await page.embed(configOf(await embedTokenFor('Revenue overview', viewer)));
    await page.event('loaded');
    await page.event('rendered');
    expect(await nameOfEvents()).not.toContain('error');
    expect(await page.text('h1')).toBe('Revenue overview');
  });

  test('loads a paginated report', async () => {
    await page.embed(configOf(await embedTokenFor('Invoice register', await service.asAdmin())));
    await page.event('rendered');
    expect(await page.text('.paper h1')).toBe('Invoice register');
  });

  test('rejects another report', async () => {
    const viewer = await service.asMember(sales);
    const revenue = await embedTokenFor('Revenue overview', viewer);
    const pipeline = await embedTokenFor('Pipeline', viewer);
    await page.embed({ ...configOf(revenue), accessToken: pipeline.token });
    expect((await page.event('error')).detail).toMatchObject({ errorCode: '403' });
    expect(await nameOfEvents()).not.toContain('loaded');
  });

  test('is replaced by the next one without a reload', async () => {
    const viewer = await service.asMember(sales);
    await page.embed(configOf(await embedTokenFor('Pipeline', viewer)));
    await page.event('rendered');
    await page.call('setAccessToken', (await embedTokenFor('Pipeline', viewer)).token);
    expect(await nameOfEvents()).toEqual(['loaded', 'rendered']);
  });
});

describe('a report with row-level security', () => {
  /** The people that the rows of the detail page belong to. */
  async function peopleShownTo(email: string): Promise<string[]> {
    const user = await service.factory.user({ email });
    await service.factory.grant(user, sales);
    await page.embed(configOf(await embedTokenFor('My customers', await service.as(user))));
    await page.event('rendered');
    await page.call('setPage', 'ReportSection1');
    await page.event('pageChanged');
    const frame = page.page.frameLocator('iframe');
    const people = frame.locator('tbody td:nth-child(5)');
    await people
      .or(frame.getByText('No rows', { exact: true }))
      .first()
      .waitFor();
    return [...new Set(await people.allInnerTexts())];
  }

  beforeAll(async () => {
    const admin = await service.asAdmin();
    const { body } = await admin.get<{ datasets: { id: string }[] }>('/api/datasets?q=by representative');
    const policy = { username: '{{email}}' };
    await admin.put(`/api/datasets/${body.datasets[0]?.id}/identity-policy`, policy);
  });

  test.each(['ada@vitrine.example', 'ben@vitrine.example'])('shows %s only their own rows', async (email) => {
    expect(await peopleShownTo(email)).toEqual([email]);
  });

  test('shows no rows to a user who is not in the data', async () => {
    expect(await peopleShownTo('eve@elsewhere.example')).toEqual([]);
  });
});
