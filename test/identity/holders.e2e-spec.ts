import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Report } from '../../src/reports/report.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { type ApiResponse, type Client, comparable } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;
let manager: Client;
let sales: Workspace;
let report: Report;

beforeAll(async () => {
  service = await startService();
  admin = await service.asAdmin();
  sales = await service.factory.workspace();
  report = await service.factory.report(sales);
  manager = await service.asMember(sales, 'manager');
});
afterAll(() => service.close());

/** People with whom the manager shares no workspace. */
const strangers: [string, () => Promise<string>][] = [
  ['a member', async () => (await service.factory.user()).id],
  ['a disabled user', async () => (await service.factory.user({ status: 'disabled' })).id],
  ['an admin', async () => (await service.factory.admin()).id],
  [
    'a service account',
    async () =>
      (await admin.post<{ id: string }>('/api/service-accounts', { name: `App ${uuidv7()}` })).body.id,
  ],
];

/** Requests that name a person as the holder of a grant. */
const requests: [string, (id: string) => Promise<ApiResponse>][] = [
  ['PUT a member', (id) => manager.put(`/api/workspaces/${sales.id}/members/${id}`, { role: 'viewer' })],
  [
    'PUT a grant on the workspace',
    (id) => manager.put(`/api/workspaces/${sales.id}/grants/users/${id}`, { role: 'viewer' }),
  ],
  [
    'PUT a grant on the report',
    (id) => manager.put(`/api/reports/${report.id}/grants/users/${id}`, { role: 'viewer' }),
  ],
  ['DELETE a member', (id) => manager.delete(`/api/workspaces/${sales.id}/members/${id}`)],
  [
    'DELETE a grant on the workspace',
    (id) => manager.delete(`/api/workspaces/${sales.id}/grants/users/${id}`),
  ],
  ['DELETE a grant on the report', (id) => manager.delete(`/api/reports/${report.id}/grants/users/${id}`)],
];

const cases = requests.flatMap(([request, send]) =>
  strangers.map(([stranger, make]) => [request, stranger, send, make] as const),
);

test.each(cases)(
  '%s: the id of %s is as unknown to a manager as a random one',
  async (_r, _s, send, make) => {
    const [foreign, unknown] = [await send(await make()), await send(uuidv7())];
    expect(foreign.status).toBe(404);
    expect(comparable(foreign)).toEqual(comparable(unknown));
  },
);
