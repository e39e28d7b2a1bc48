import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { schemaErrors, withResponses } from './support/openapi-operations.js';
import { password } from './support/factory.js';
import { type Service, startService } from './support/service.js';

interface Item {
  name: string;
  item?: Item[];
  event: { listen: string }[];
  request: { method: string; url: { path: string[] } };
  response: { code: number; body: string }[];
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
}

interface Operation {
  operationId: string;
  responses: Record<string, { content?: Record<string, { schema: { $ref?: string } }> }>;
}

const file = 'postman/vitrine.postman_collection.json';
const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const collection = read<{ item: Item[]; variable: { key: string; value: string }[] }>(file);
const document = read<OpenApi>('openapi.json');
const { paths } = withResponses<OpenApi>(JSON.stringify(document));
const requestsOf = (items: Item[]): Item[] =>
  items.flatMap((item) => (item.item === undefined ? [item] : requestsOf(item.item)));
const requests = requestsOf(collection.item);
const pathOf = ({ request }: Item): string => `/${request.url.path.join('/').replaceAll(/:(\w+)/g, '{$1}')}`;

/** Runs `postman/generate.js` for a description; returns the text of the collection. */
async function generate(description: OpenApi): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-postman-'));
  try {
    mkdirSync(join(folder, 'postman'));
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(description));
    await promisify(execFile)(process.execPath, ['postman/generate.js', folder]);
    return readFileSync(join(folder, file), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

let service: Service;

/** As somebody who presses Run: the variables of the collection, and the three that are theirs. */
async function run(email: string): Promise<{ code: number; output: string }> {
  const own = { base_url: service.url, admin_email: email, admin_password: password };
  const variables = Object.entries(own).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]);
  const newman = ['node_modules/newman/bin/newman.js', 'run', file, '--color', 'off', ...variables];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, newman);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  }
}

const rows = async (): Promise<unknown> => {
  const [counts] = await service.database.query(
    `SELECT (SELECT count(*) FROM users WHERE removed_at IS NULL) AS users,
       (SELECT count(*) FROM grants WHERE report_id IS NULL) AS memberships, (SELECT count(*) FROM user_identities) AS identities,
       (SELECT count(*) FROM invitations WHERE revoked_at IS NULL) AS invitations,
       (SELECT count(*) FROM embed_revocations WHERE lifted_at IS NULL) AS revocations,
       (SELECT count(*) FROM service_account_secrets) AS secrets`,
  );
  return counts;
};

beforeAll(async () => {
  service = await startService();
  await service.sync();
});
afterAll(() => service.close());

describe('the Postman collection', () => {
  test('is generated from openapi.json: run `npm run generate` and commit', async () => {
    expect(await generate(document)).toBe(readFileSync(file, 'utf8'));
  });

  test('gets a request for each new route; a run sends those that read and whose ids it knows', async () => {
    const copyOf = (path: string, method: string, operationId: string) => ({
      [method]: { ...(paths[path]?.[method] as Operation), operationId },
    });
    const added = {
      '/api/workspaces/{id}/invented': copyOf('/api/workspaces/{id}', 'get', 'New_get'),
      '/api/workspaces/{id}/copies': copyOf('/api/reports/{id}/embed-token', 'post', 'New_create'),
      '/api/dashboards/{id}': copyOf('/api/workspaces/{id}', 'get', 'New_unknownId'),
    };
    const generated = await generate({ ...document, paths: { ...paths, ...added } });
    const { item } = JSON.parse(generated) as typeof collection;
    const folderOf = Object.fromEntries(
      item.flatMap((folder) => requestsOf([folder]).map((request) => [pathOf(request), folder.name])),
    );
    expect(folderOf).toMatchObject({
      '/api/workspaces/{id}/invented': 'Other requests',
      '/api/workspaces/{id}/copies': 'Not part of a run',
      '/api/dashboards/{id}': 'Not part of a run',
    });
  });

  test('has every route of openapi.json, and no other', () => {
    const inCollection = requests.map((item) => `${item.request.method} ${pathOf(item)}`);
    const inDocument = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect([...new Set(inCollection)].toSorted()).toEqual(inDocument.toSorted());
  });

  test('has one example with a documented status and a test for each request', () => {
    for (const item of requests) {
      const documented = Object.keys(
        paths[pathOf(item)]?.[item.request.method.toLowerCase()]?.responses ?? {},
      );
      expect([item.name, ...item.response.map(({ code }) => String(code))]).toHaveLength(2);
      const code = item.response[0]?.code ?? 0;
      expect(documented).toContain(
        code < 400 || documented.includes(String(code)) ? String(code) : 'default',
      );
      expect(item.event.map(({ listen }) => listen)).toContain('test');
    }
  });

  test('saves responses that match their schemas', () => {
    const wrong = requests.flatMap((item) => {
      const { code, body } = item.response[0] ?? { code: 0, body: '' };
      const operation = paths[pathOf(item)]?.[item.request.method.toLowerCase()];
      const { content } = operation?.responses[code] ?? operation?.responses.default ?? {};
      const json = content?.['application/json'] ?? content?.['application/problem+json'];
      // Neither the lines of a stream nor the bytes of a file have a schema.
      const types = Object.keys(content ?? {});
      if (types.includes('application/x-ndjson') || types.includes('application/octet-stream')) return [];
      if (json === undefined) return body === '' ? [] : [item.name];
      const error = schemaErrors(json.schema, JSON.parse(body));
      return error === null ? [] : [`${item.name}: ${error}`];
    });
    expect(wrong).toEqual([]);
  });

  test('requires no environment, and contains no token or password', () => {
    const values = new Map(collection.variable.map(({ key, value }) => [key, value]));
    expect([...values.keys()]).toEqual(expect.arrayContaining(['base_url', 'admin_email', 'admin_password']));
    expect(values.get('admin_password')).toBe('');
    expect(readFileSync(file, 'utf8')).not.toMatch(/eyJ[\w-]{20}|vsa_[\w-]{20}/);
  });

  test('runs completely, twice, and leaves nothing behind', async () => {
    const { email } = await service.factory.admin();
    const before = await rows();
    expect(await run(email)).toMatchObject({ code: 0, output: expect.stringContaining('Sign out') });
    expect(await rows()).toEqual(before);
    expect(await run(email)).toMatchObject({ code: 0 });
    expect(await rows()).toEqual(before);
  });

  test('fails when a response is unexpected', async () => {
    const { email } = await service.factory.user();
    const { code, output } = await run(email);
    expect(code).toBe(1);
    expect(output).toContain('is an admin');
  });
});
