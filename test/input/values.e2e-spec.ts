import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Client } from '../support/client.js';
import { operations } from '../support/openapi-operations.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;

beforeAll(async () => {
  service = await startService();
  await service.sync();
  admin = await service.asAdmin();
});
afterAll(() => service.close());

const invite = (body: unknown) => admin.post('/api/users/invite', body);

const lists = [
  '/api/workspaces',
  '/api/reports',
  '/api/users',
  '/api/invitations',
  '/api/datasets',
  '/api/syncs',
  '/api/audit-events',
  '/api/embed-grants',
  '/api/service-accounts',
  '/api/groups',
  '/api/auth/sessions',
];

describe.each([
  ['IN-01 NUL', 'a\u0000b', 'a%00b'],
  ['IN-02 a lone surrogate', 'a\ud800b', 'a%ED%A0%80b'],
])('%s', (_, text, inUrl) => {
  test('is rejected in a body at every depth', async () => {
    const response = await invite({ email: 'in01@example.com', name: text });
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name' }] } });
    for (const grant of [{ workspace_id: text }, { role: text }, { expires_at: text }]) {
      const workspaces = [{ workspace_id: uuidv7(), role: 'viewer', ...grant }];
      expect((await invite({ email: 'in01@example.com', workspaces })).status).toBe(400);
    }
    const attributes = { [text]: 'x', fine: text };
    const user = await service.factory.user();
    expect((await admin.patch(`/api/users/${user.id}`, { attributes })).status).toBe(400);
  });

  test('is rejected as a password', async () => {
    const body = { email: 'a@example.com', password: `${text} and some more` };
    expect((await service.api.post('/api/auth/token', body)).status).toBe(400);
  });

  test.each(lists.slice(0, 3))('is rejected in the query of %s', async (path) => {
    for (const name of ['q', 'cursor', 'sort', 'limit', text]) {
      const response = await admin.get(`${path}?${name === text ? inUrl : name}=${inUrl}`);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    }
  });

  test('is rejected in a path', async () => {
    for (const path of ['/api/reports/', '/api/workspaces/', '/api/users/']) {
      expect((await admin.get(path + inUrl)).status).toBe(400);
    }
  });
});

describe('IN-09, IN-24 queries', () => {
  test.each(lists)('%s rejects an unknown parameter', async (path) => {
    const response = await admin.get(`${path}?offset=1`);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/offset' }] } });
    expect(JSON.stringify(response.body)).toContain('supported: ');
  });

  test.each(lists)('%s rejects a repeated parameter', async (path) => {
    const response = await admin.get(`${path}?limit=1&limit=2`);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/limit' }] } });
  });

  test('a request without parameters rejects any', async () => {
    const bare = operations.filter(
      ({ path, parameters = [] }) =>
        path.startsWith('/api/') && parameters.every((each) => each.in !== 'query'),
    );
    for (const { method, path } of bare) {
      const address = `${path.replaceAll(/\{\w+\}/g, uuidv7())}?user_id=1&a/b=`;
      const { status, body } = await admin.send(method, address, {});
      expect({ method, path, status, body }).toMatchObject({
        method,
        path,
        status: 400,
        body: { errors: [{ pointer: '/user_id' }, { pointer: '/a~1b' }] },
      });
      expect(JSON.stringify(body)).toContain('supported: ');
    }
  });

  test('a parameter with brackets is rejected', async () => {
    for (const query of ['q[]=a', 'q[$ne]=a', 'limit[0]=1', '__proto__[role]=admin']) {
      expect((await admin.get(`/api/workspaces?${query}`)).status).toBe(400);
    }
  });
});

describe('IN-11 page size', () => {
  test.each(['0', '-1', '1001', '1e3', '0x10', ' 5', '5 ', '+5', '5.0', '', '٣', '9'.repeat(30), 'NaN'])(
    'limit %j is rejected',
    async (limit) => {
      for (const path of lists) {
        const response = await admin.get(`${path}?limit=${encodeURIComponent(limit)}`);
        expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/limit' }] } });
      }
    },
  );

  test.each(['1', '1000', '007'])('limit %s is accepted', async (limit) => {
    for (const path of lists) expect((await admin.get(`${path}?limit=${limit}`)).status).toBe(200);
  });
});

describe('IN-12 cursors', () => {
  test('are valid for their own list only, and cannot be forged', async () => {
    const { headers } = await admin.get('/api/reports?limit=1');
    const cursor = /cursor=([^&>]+)/.exec(headers.get('link') ?? '')?.[1] ?? '';
    expect(cursor).not.toBe('');
    expect((await admin.get(`/api/reports?limit=1&cursor=${cursor}`)).status).toBe(200);
    const changed = cursor.replace(/.$/, (last) => (last === 'A' ? 'E' : 'A'));
    const others = [
      `/api/workspaces?limit=1&cursor=${cursor}`,
      `/api/reports?limit=1&sort=-name&cursor=${cursor}`,
      `/api/reports?limit=1&q=a&cursor=${cursor}`,
      `/api/reports?cursor=${changed}`,
      `/api/reports?cursor=${cursor.slice(0, 20)}`,
      '/api/reports?cursor=W10',
    ];
    for (const path of others) {
      expect(await admin.get(path)).toMatchObject({
        status: 400,
        body: { errors: [{ pointer: '/cursor' }] },
      });
    }
  });
});

describe('IN-13 ids', () => {
  test.each(['7', 'null', '00000000', `${uuidv7()}0`, `{${uuidv7()}}`, uuidv7().replaceAll('-', ''), '..'])(
    '%s is a 400 or an unknown route',
    async (id) => {
      for (const path of [
        '/api/workspaces/',
        '/api/reports/',
        '/api/users/',
        '/api/datasets/',
        '/api/syncs/',
      ]) {
        const response = await admin.get(path + encodeURIComponent(id));
        expect([400, 404]).toContain(response.status);
        expect(response.body.code).toBe(response.status === 400 ? 'invalid_request' : response.body.code);
      }
    },
  );

  test('an id in upper case is the same id', async () => {
    const { body } = await admin.get<{ reports: { id: string }[] }>('/api/reports?limit=1');
    const id = body.reports[0]?.id ?? '';
    expect(await admin.get(`/api/reports/${id.toUpperCase()}`)).toMatchObject({ status: 200, body: { id } });
  });
});

describe('IN-14 SQL injection', () => {
  test.each([
    "' OR '1'='1",
    "'; DROP TABLE users; --",
    "\\'; SELECT pg_sleep(10); --",
    '$1',
    ':callerId',
    'name_key) OR (1=1',
    '/**/UNION/**/SELECT/**/password_hash/**/FROM/**/users',
  ])('%s is treated as text', async (text) => {
    for (const path of [
      '/api/workspaces',
      '/api/reports',
      '/api/users',
      '/api/invitations',
      '/api/datasets',
    ]) {
      const response = await admin.get<Record<string, unknown[]>>(`${path}?q=${encodeURIComponent(text)}`);
      expect(response.status).toBe(200);
      expect(Object.values(response.body)[0]).toEqual([]);
      const sorted = await admin.get(`${path}?sort=${encodeURIComponent(text)}`);
      expect(sorted).toMatchObject({ status: 400, body: { errors: [{ pointer: '/sort' }] } });
    }
    const response = await invite({ email: `${uuidv7()}@example.com`, name: text });
    expect(response).toMatchObject({ status: 201, body: { name: text } });
  });
});

describe('IN-15 wildcards', () => {
  test('are matched literally', async () => {
    const names = ['100% sure', '100x sure', 'a_b', 'axb', String.raw`back\slash`];
    for (const name of names) await service.factory.workspace({ name });
    const found = async (q: string) =>
      (
        await admin.get<{ workspaces: { name: string }[] }>(`/api/workspaces?q=${encodeURIComponent(q)}`)
      ).body.workspaces.map(({ name }) => name);
    expect(await found('100% s')).toEqual(['100% sure']);
    expect(await found('a_b')).toEqual(['a_b']);
    expect(await found('k\\s')).toEqual([String.raw`back\slash`]);
    expect(await found('%%')).toEqual([]);
  });
});

describe('IN-16 regular expressions', () => {
  const long = 40_000;
  test.each([
    ['email', { email: `${'a'.repeat(long)}@`, password: 'x' }],
    ['email of dots', { email: `a@${'a.'.repeat(long / 2)}`, password: 'x' }],
    ['email of quotes', { email: `"${'\\"'.repeat(5000)}`, password: 'x' }],
  ])('%s is checked without catastrophic matching', async (_, body) => {
    // CPU time of this process, which the service shares. Other processes do not add to it.
    const before = process.cpuUsage();
    expect((await admin.post('/api/users/invite', body)).status).toBe(400);
    // Some milliseconds; catastrophic matching takes minutes.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  });
});

describe('IN-21 names', () => {
  test.each(['x'.repeat(200), '🙂'.repeat(200), 'Zoë O’Neil-Smith'])('%j is accepted', async (name) => {
    const response = await invite({ email: `${uuidv7()}@example.com`, name });
    expect(response).toMatchObject({ status: 201, body: { name } });
  });

  test.each(['', '   ', 'x'.repeat(201), 'two\nlines', 'bell\u0007', '\u202Egnp.exe', '\u2066isolated'])(
    '%j is rejected',
    async (name) => {
      const response = await invite({ email: `${uuidv7()}@example.com`, name });
      expect(response).toMatchObject({ status: 400, body: { errors: [{ pointer: '/name' }] } });
    },
  );
});

describe('IN-22 email addresses', () => {
  test.each([
    'a@b@c.example',
    'a@example.com, b@example.com',
    'Ada <ada@example.com>',
    '"ada"@example.com',
    'ada(comment)@example.com',
    'ada@',
    '@example.com',
    `${'a'.repeat(250)}@example.com`,
    'ada@example.com\r\nBcc: b@example.com',
    'ada@[127.0.0.1]',
  ])('%j is rejected', async (email) => {
    expect(await invite({ email })).toMatchObject({ status: 400, body: { errors: [{ pointer: '/email' }] } });
  });

  test.each(['mailto:<>', '<>', '"<>"', '<>.', '\u200e<>\u200b'])(
    'what a mail program puts around a pasted address is removed (%j)',
    async (around) => {
      const email = `${uuidv7()}@example.com`;
      const response = await invite({ email: around.replace('<>', email) });
      expect(response).toMatchObject({ status: 201, body: { email } });
    },
  );

  test('an internationalized domain is converted to ASCII', async () => {
    const response = await invite({ email: `${uuidv7()}@BÜCHER.example` });
    expect(response).toMatchObject({
      status: 201,
      body: { email: expect.stringMatching(/@xn--bcher-kva\.example$/) },
    });
  });
});

describe('IN-23 a repeated name in a body', () => {
  test('has the value of its last occurrence, at every depth', async () => {
    const [first, last] = [`${uuidv7()}@example.com`, `${uuidv7()}@example.com`];
    const response = await invite(
      `{"email": "${first}", "role": "admin", "email": "${last}", "role": "member"}`,
    );
    expect(response).toMatchObject({ status: 201, body: { email: last, role: 'member' } });
  });
});
