import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let admin: Client;
let datasetId: string;
let userId: string;

beforeAll(async () => {
  service = await startService();
  await service.sync();
  admin = await service.asAdmin();
  const { body } = await admin.get<{ datasets: { id: string }[] }>('/api/datasets?limit=1');
  datasetId = body.datasets[0]?.id ?? '';
  userId = (await service.factory.user()).id;
});
afterAll(() => service.close());

type Field = [string, string, (text: string) => Promise<{ status: number; body: unknown }>];

/** Every field of a request body that takes text for people, with the pointer of its error. */
const fields: Field[] = [
  [
    'the name of an invitation',
    '/name',
    (name) => admin.post('/api/users/invite', { email: `${uuidv7()}@example.com`, name }),
  ],
  ['the name of a user', '/name', (name) => admin.patch(`/api/users/${userId}`, { name })],
  ['the name of a group', '/name', (name) => admin.post('/api/groups', { name })],
  [
    'the description of a group',
    '/description',
    (description) => admin.post('/api/groups', { name: uuidv7(), description }),
  ],
  ['the name of a service account', '/name', (name) => admin.post('/api/service-accounts', { name })],
  [
    'the name at the acceptance of an invitation',
    '/name',
    (name) =>
      service.api.post('/api/auth/token', {
        grant_type: 'invitation',
        invitation_token: 'x',
        password: 'a long enough password',
        name,
      }),
  ],
  [
    'the reason of a revocation',
    '/reason',
    (reason) => admin.post('/api/embed-grants/revoke', { user_id: userId, reason }),
  ],
  [
    'the username of a policy',
    '/username',
    (username) => admin.put(`/api/datasets/${datasetId}/identity-policy`, { username }),
  ],
  [
    'a role of a policy',
    '/roles',
    (role) => admin.put(`/api/datasets/${datasetId}/identity-policy`, { username: 'x', roles: [role] }),
  ],
  [
    'the custom data of a policy',
    '/custom_data',
    (custom_data) => admin.put(`/api/datasets/${datasetId}/identity-policy`, { username: 'x', custom_data }),
  ],
  ...['product_name', 'sign_in_text', 'sender_name'].map((name): Field => [
    `${name} of the branding`,
    `/${name}`,
    (text) => admin.put('/api/settings/branding', { [name]: text }),
  ]),
];

const unsafe = [
  'a\nb',
  'a\r\nb',
  'a\tb',
  'bell\u0007',
  'c1 \u0085',
  '\u202Egnp.exe',
  '\u2066a',
  'line\u2028',
  'a\u2029b',
  'a\u0000b',
  'a\ud800b',
];
const invisible = [
  '\u200B',
  '\u200D\u200C',
  '\uFEFF',
  '\u00AD',
  '\u2060\u200B ',
  '\u3164',
  '\u2800',
  '\u00A0',
  '\u0301',
  '\u{E0041}',
];

describe.each(fields)('%s (L5)', (_, pointer, send) => {
  test.each([...unsafe, ...invisible, ''])('%j is rejected', async (text) => {
    expect(await send(text)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
  });

  test.each(['Zoë O’Neil-Smith', '名前', 'مريم', 'שרה', '👩‍👩‍👧', 'می‌خواهم'])('%j is valid', async (text) => {
    const { body } = await send(text);
    expect(body).not.toMatchObject({ code: 'invalid_request' });
  });
});

describe.each(fields.filter(([, pointer]) => pointer === '/name'))('%s (L5)', (_, pointer, send) => {
  test.each(['https://evil.example', 'Ada http://evil.example/x', 'a://b', 'https：／／evil.example'])(
    '%j is rejected',
    async (text) => {
      expect(await send(text)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } });
    },
  );

  test.each(['ada@example.com', 'www.evil.example', 'J. R. Smith', 'Sales / EMEA', 'A: B'])(
    '%j is valid',
    async (text) => {
      const { body } = await send(text);
      expect(body).not.toMatchObject({ code: 'invalid_request' });
    },
  );
});

describe('attributes (L5)', () => {
  const patch = (attributes: object) => admin.patch(`/api/users/${userId}`, { attributes });

  test.each([...unsafe, 'undecodable \uFFFD'])('the value %j is rejected', async (value) => {
    expect(await patch({ department: value })).toMatchObject({
      status: 400,
      body: { errors: [{ pointer: '/attributes' }] },
    });
  });

  test.each(['', 'Sales', 'https://example.com/', 'CONTOSO\\ada'])('the value %j is valid', async (value) => {
    expect((await patch({ department: value })).status).toBe(200);
  });
});

describe('a name with invisible characters', () => {
  test.each(['\uFEFF', '\u00AD', '\u200B', '\u200D', '\u2060'])(
    '%j in front is removed',
    async (invisible) => {
      const name = `Team ${uuidv7()}`;
      const { body } = await admin.post<{ name: string }>('/api/groups', { name: `${invisible}${name}` });
      expect(body.name).toBe(name);
      const same = await admin.post('/api/groups', { name: name.replace('m ', `m${invisible} `) });
      expect(same.status).toBe(409);
      const patched = await admin.patch<{ name: string }>(`/api/users/${userId}`, {
        name: `${invisible}Ada`,
      });
      expect(patched.body.name).toBe('Ada');
    },
  );
});
