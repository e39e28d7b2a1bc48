import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import { rows } from '../routes.table.js';
import { asServiceAccount, type Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

const placeholder = 'service.invalid';

interface Account {
  id: string;
  client_secret: string;
}

let service: Service;
let admin: Client;
let manager: User;
let sales: Workspace;
let account: Account;
let machine: Client;
let ids: Record<string, string>;

/** A service account that manages a workspace, is in a group and has requested access to another workspace. */
beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  const { factory } = service;
  admin = await service.asAdmin();
  sales = await factory.workspace({ name: 'Sales' });
  const other = await factory.workspace({ name: 'Finance' });
  manager = await factory.user();
  await factory.grant(manager, other, 'manager');
  account = (await admin.post<Account>('/api/service-accounts', { name: 'Nightly' })).body;
  machine = await asServiceAccount(service.url, account);
  const group = await factory.group();
  await admin.put(`/api/groups/${group.id}/members/users/${account.id}`);
  await admin.put(`/api/workspaces/${sales.id}/members/${account.id}`, { role: 'manager' });
  await machine.post('/api/access-requests', { workspace_id: other.id });
  ids = {
    workspace_id: sales.id,
    report_id: (await factory.report(sales)).id,
    user_id: account.id,
    service_account_id: account.id,
    group_id: group.id,
    outer_group_id: group.id,
  };
});
afterAll(() => service.close());

/** Every response that a GET request of the caller receives, by path. */
async function responsesTo({ token }: Client): Promise<[path: string, text: string][]> {
  const paths = rows
    .filter(({ method, path }) => method === 'GET' && path.startsWith('/api/'))
    .map(({ path }) => path.replaceAll(/:(\w+)/g, (_whole, name: string) => ids[name] ?? uuidv7()));
  const more = ['/api/users?kind=service', '/api/access-requests?mine=true', '/api/search?q=Nightly'];
  const responses: [string, string][] = [];
  for (const path of [...paths, ...more]) {
    const headers = { authorization: `Bearer ${token}` };
    responses.push([path, await (await fetch(`${service.url}${path}`, { headers })).text()]);
  }
  return responses;
}

describe('the address of a service account', () => {
  test('is in no response of a route', async () => {
    for (const caller of [admin, machine]) {
      const responses = await responsesTo(caller);
      expect(responses.filter(([, text]) => text.includes(account.id))).not.toEqual([]);
      expect(responses.filter(([, text]) => text.includes(placeholder))).toEqual([]);
    }
  });

  test('is null where others have one', async () => {
    const member = `/api/workspaces/${sales.id}/members/${account.id}`;
    const unaddressed = { email: null, name: 'Nightly' };
    expect((await admin.put(member, { role: 'manager' })).body).toMatchObject(unaddressed);
    expect((await admin.get(`/api/workspaces/${sales.id}/members`)).body).toMatchObject({
      members: [unaddressed],
    });
    expect((await admin.patch(`/api/users/${account.id}`, { role: 'member' })).body).toMatchObject(
      unaddressed,
    );
    expect((await machine.get('/api/users/me')).body).toMatchObject(unaddressed);
    expect((await admin.get('/api/access-requests')).body).toMatchObject({
      access_requests: [{ requester_name: 'Nightly', requester_email: null }],
    });
  });

  test('is not in the email about its request for access', async () => {
    const { text } = await service.mailbox.mailTo(manager.email);
    expect(text).toContain('Nightly (service account) requested access');
    expect(text).not.toContain(placeholder);
  });
});
