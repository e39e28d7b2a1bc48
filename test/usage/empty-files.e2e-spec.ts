import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { vitrine } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let token: string;

beforeAll(async () => {
  service = await startService();
  token = (await service.asAdmin()).token as string;
});
afterAll(() => service.close());

const download = async (path: string, accept: string): Promise<string> => {
  const headers = { authorization: `Bearer ${token}`, accept };
  return (await fetch(`${service.url}/api/usage/${path}`, { headers })).text();
};

const figures = 'views,issued_views,viewers,page_views,seconds,failures,opening_ms_p50,opening_ms_p95';

test.each([
  [
    'reports',
    `report_id,name,workspace_id,workspace_name,${figures},load_ms_p50,load_ms_p95,previous_views,last_viewed_at`,
  ],
  ['workspaces', 'workspace_id,name,views,previous_views,viewers,seconds'],
  ['unused', 'report_id,name,workspace_id,workspace_name,last_viewed_at,grants_path'],
])('without rows the file of %s is its header, and without one empty', async (list, header) => {
  expect(await download(list, 'text/csv')).toBe(`${header}\r\n`);
  expect(await download(list, 'application/x-ndjson')).toBe('');
});

test('without rows the file of the pages of a report is its header', async () => {
  const { id } = await service.factory.report(await service.factory.workspace());
  expect(await download(`reports/${id}/pages`, 'text/csv')).toBe('page,name,views\r\n');
});

test('without rows the export of the command line is its header', async () => {
  const { code, stdout } = await vitrine(service.environment, ['usage', 'export']);
  const columns =
    'day,report_id,report_name,workspace_id,workspace_name,views,issued_views,page_views,failures,seconds,viewers';
  expect([code, stdout]).toEqual([0, `${columns}\r\n`]);
});

test.each(['overview', 'reports/:report', 'workspaces/:workspace', 'people/:user', 'groups/:group'])(
  'the columns of %s are the fields of its buckets',
  async (route) => {
    const { factory } = service;
    const workspace = await factory.workspace();
    const ids: Record<string, string> = {
      workspace: workspace.id,
      report: (await factory.report(workspace)).id,
      user: (await factory.user()).id,
      group: (await factory.group()).id,
    };
    const path = route.replace(/:(\w+)/, (_, name: string) => ids[name] ?? '');
    const [line = ''] = (await download(path, 'application/x-ndjson')).split('\n');
    const fields = Object.entries(JSON.parse(line) as object).flatMap(([name, value]: [string, unknown]) =>
      name === 'opening_ms' ? Object.keys(value as object).map((key) => `${name}_${key}`) : name,
    );
    expect((await download(path, 'text/csv')).split('\r\n')[0]).toBe(fields.join(','));
  },
);
