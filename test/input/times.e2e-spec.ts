import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type JsonSchema, operations, schemaNamed } from '../support/openapi-operations.js';
import { type Service, startService } from '../support/service.js';

const FORMS = 'YYYY-MM-DD or RFC 3339 with a zone';

let service: Service;
let admin: Client;
let workspace: Workspace;
let userId: string;

beforeAll(async () => {
  service = await startService();
  service.clock.leaveEndOfDayAndHour();
  admin = await service.asAdmin();
  workspace = await service.factory.workspace();
  userId = (await service.factory.user()).id;
});
afterAll(() => service.close());

const events = (query: Record<string, string>) =>
  admin.get<{ audit_events: { at: string }[] }>(`/api/audit-events?${new URLSearchParams(query).toString()}`);
const setMember = (expires_at: unknown) =>
  admin.put<{ expires_at: string }>(`/api/workspaces/${workspace.id}/members/${userId}`, {
    role: 'viewer',
    expires_at,
  });
const invite = (expires_at: unknown) =>
  admin.post<{ workspaces: { expires_at: string }[] }>('/api/users/invite', {
    email: `${uuidv7()}@example.com`,
    workspaces: [{ workspace_id: workspace.id, role: 'viewer', expires_at }],
  });

const rejected = [
  '',
  '2020',
  '2020-01',
  '2020-W01-1',
  '2020-001',
  '20200101',
  '2099-02-29',
  '2099-02-30',
  '2099-13-01',
  '2099-00-10',
  '2099-01-32',
  '0000-01-01',
  '1969-12-31',
  '1970-01-01T00:00:00+00:01',
  '9999-12-31T23:59:59-00:01',
  '10000-01-01',
  '+010000-01-01',
  '-000001-01-01',
  '2099-01-01T24:00:00Z',
  '2099-01-01T10:60:00Z',
  '2099-01-01T10:00:60Z',
  '2099-01-01T10:00Z',
  '2099-01-01T10:00:00',
  '2099-01-01T10:00:00+24:00',
  '2099-01-01T10:00:00+0100',
  '2099-01-01 10:00:00Z',
  '2099-01-01T10:00:00,5Z',
  ' 2099-01-01',
  '2099-01-01\n',
  '٢٠٩٩-01-01',
  '2099-01-01T10:00:00\u221201:00',
  'now',
  'infinity',
  '4070908800',
];

const days: [string, string][] = [
  ['2099-01-31', '2099-01-31T23:59:59.999Z'],
  ['2096-02-29', '2096-02-29T23:59:59.999Z'],
  ['9999-12-31', '9999-12-31T23:59:59.999Z'],
];
const instants: [string, string][] = [
  ['2099-01-31T10:00:00Z', '2099-01-31T10:00:00.000Z'],
  ['2099-01-31t10:00:00.123456z', '2099-01-31T10:00:00.123Z'],
  ['2099-01-31T01:00:00+02:30', '2099-01-30T22:30:00.000Z'],
  ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
];

describe('times in a query (M2)', () => {
  test.each(rejected)('%j is a 400 that names the parameter and the accepted formats', async (time) => {
    for (const name of ['from', 'to']) {
      expect(await events({ [name]: time })).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: `/${name}`, detail: expect.stringContaining(FORMS) }] },
      });
    }
  });

  test.each([...days, ...instants])('%s is read', async (time) => {
    expect((await events({ from: time })).body.audit_events).toEqual([]);
    expect((await events({ to: time })).body.audit_events).not.toEqual([]);
  });

  test('an event at exactly that time is included by `from` and excluded by `to`', async () => {
    const at = (await events({ limit: '1' })).body.audit_events[0]?.at ?? '';
    expect((await events({ from: at })).body.audit_events).toContainEqual(expect.objectContaining({ at }));
    expect((await events({ to: at })).body.audit_events).not.toContainEqual(expect.objectContaining({ at }));
  });

  test('C16 `from` and `to` on the same day are the whole day', async () => {
    const [first] = (await events({ limit: '1' })).body.audit_events;
    const day = first?.at.slice(0, 10) ?? '';
    expect((await events({ from: day, to: day })).body.audit_events).toContainEqual(first);
    const lines = await admin.get(`/api/audit-events?from=${day}&to=${day}`, { accept: 'text/csv' });
    expect(lines.status).toBe(200);
    const before = new Date(Date.parse(day) - 1).toISOString().slice(0, 10);
    expect((await events({ from: before, to: before })).body.audit_events).toEqual([]);
  });

  test('a cursor works with a time filter, and an export ends at `to`', async () => {
    const first = await events({ limit: '1', to: '9999-12-31' });
    const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect((await admin.get(next)).status).toBe(200);
    const lines = await admin.get('/api/audit-events?from=1970-01-01&to=1970-01-02', {
      accept: 'application/x-ndjson',
    });
    expect(lines.status).toBe(200);
  });
});

describe('times in a body (M2)', () => {
  test.each([...rejected, 4070908800, true, [], {}, ['2099-01-01']])(
    '%j is a 400 that names the field and the accepted formats',
    async (time) => {
      const detail = expect.stringContaining(FORMS);
      expect(await setMember(time)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/expires_at', detail }] },
      });
      expect(await invite(time)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/workspaces/0/expires_at', detail }] },
      });
    },
  );

  test.each([...days, ...instants])('%s is stored as %s', async (time, utc) => {
    expect(await setMember(time)).toMatchObject({ status: 200, body: { expires_at: utc } });
    expect(await invite(time)).toMatchObject({
      status: 201,
      body: { workspaces: [{ expires_at: utc }] },
    });
  });

  test('C15 today, as a day, is in the future until its end; yesterday is a 400', async () => {
    const today = service.clock.now().toISOString().slice(0, 10);
    const yesterday = new Date(service.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10);
    expect(await setMember(today)).toMatchObject({
      status: 200,
      body: { expires_at: `${today}T23:59:59.999Z` },
    });
    for (const response of [await setMember(yesterday), await invite(yesterday)]) {
      expect(response).toMatchObject({
        status: 400,
        body: { errors: [{ detail: 'expires_at must be in the future' }] },
      });
    }
  });

  test('a time in the past is a 400', async () => {
    expect((await setMember('1970-01-01')).status).toBe(400);
    expect((await invite('1970-01-01')).status).toBe(400);
  });
});

test('openapi.json has both formats and their description for every time in a request (M2)', () => {
  const times: [string, JsonSchema & { description?: string }][] = [];
  const collect = (schema: JsonSchema, place: string): void => {
    if (schema.$ref !== undefined) collect(schemaNamed(schema), place);
    if (schema.items !== undefined) collect(schema.items, place);
    for (const [name, child] of Object.entries(schema.properties ?? {})) {
      if (name.endsWith('_at')) times.push([`${place} ${name}`, child]);
      collect(child, place);
    }
  };
  for (const { method, path, parameters = [], requestBody } of operations) {
    for (const { name, schema, ...rest } of parameters) {
      if (['from', 'to'].includes(name)) times.push([`${path} ${name}`, { ...rest, ...schema }]);
    }
    const schema = requestBody?.content['application/json']?.schema;
    if (schema !== undefined) collect(schema, `${method} ${path}`);
  }
  expect(times.map(([place]) => place)).toEqual(
    expect.arrayContaining([
      '/api/audit-events from',
      '/api/audit-events to',
      'POST /api/users/invite expires_at',
    ]),
  );
  for (const [, { anyOf, description }] of times) {
    expect(anyOf?.map(({ format }) => format)).toEqual(['date', 'date-time']);
    expect(description).toMatch(/`YYYY-MM-DD`\sin `USAGE_TIME_ZONE` or\sRFC 3339 with a\s(time )?zone/);
  }
});
