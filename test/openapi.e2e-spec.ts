import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from '@jest/globals';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type RulesetDefinition, Spectral } from '@stoplight/spectral-core';
import { oas } from '@stoplight/spectral-rulesets';
import { problemCatalogue } from '../src/core/problems/problem-catalogue.js';
import { callerSentences, operationsWithCallers } from '../src/openapi-callers.js';
import { asRouted, rows } from './routes.table.js';
import { Client } from './support/client.js';
import { withResponses } from './support/openapi-operations.js';
import { type Program, startProgram } from './support/program.js';
import { startService } from './support/service.js';

interface Operation {
  summary?: string;
  description?: string;
  security?: unknown[];
  parameters?: { name: string; required: boolean; schema: { default?: unknown } }[];
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object }> }>;
}
interface Schema extends Record<string, unknown> {
  properties?: Record<string, { default?: unknown }>;
  required?: string[];
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const committed = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
const raw = JSON.parse(committed) as Document;
const document = withResponses<Document>(committed);

/** All schemas of the document, with the name of their property or parameter. */
function* namedSchemas(value: unknown, name = ''): Generator<{ name: string; schema: Schema }> {
  if (typeof value !== 'object' || value === null) return;
  const schema = value as Schema;
  yield { name, schema };
  for (const [key, child] of Object.entries(schema))
    yield* namedSchemas(child, key === 'schema' && typeof schema.name === 'string' ? schema.name : key);
}
const typesOf = ({ type }: Schema): unknown[] => [type].flat();

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method.toUpperCase()} ${path}`,
    operation,
  })),
);

/** Rules that the text of a document breaks, at any severity. */
const linters: Record<string, (source: string) => Promise<string[]>> = {
  Redocly: async (source) => {
    const problems = await lintFromString({
      source,
      config: await createConfig({ extends: ['recommended'] }),
    });
    return problems.map(({ ruleId, location }) => `${ruleId} ${location[0]?.pointer}`);
  },
  Spectral: async (source) => {
    const spectral = new Spectral();
    // The types of the rule set do not fit those of the library.
    spectral.setRuleset({ extends: [[oas as unknown as RulesetDefinition, 'recommended']] });
    const results = await spectral.run(source);
    return results.map(({ code, path }) => `${code} ${path.join('/')}`);
  },
};

describe('openapi.json', () => {
  test.each(Object.entries(linters))('passes the recommended rules of %s', async (_name, lint) => {
    expect(await lint(committed)).toEqual([]);
    expect(await lint(JSON.stringify({ ...raw, servers: [] }))).toEqual([expect.stringContaining('servers')]);
  });

  test('starts the description of each operation with its summary', () => {
    const other = operations.filter(
      ({ operation: { summary = '-', description } }) => description?.startsWith(summary) !== true,
    );
    expect(other.map(({ name }) => name)).toEqual([]);
  });

  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate({ ...raw })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    expect(document.openapi).toBe('3.1.0');
  });

  test('describes every route under /api and the previews of links, and no other', () => {
    const routes = rows.filter(({ path }) => /^\/api\/|\/preview$/.test(path)).map(asRouted);
    const described = operations.map(({ name }) => name.replaceAll(/\{(\w+)\}/g, ':$1'));
    expect(described.toSorted()).toEqual(routes.toSorted());
  });

  test.each(operations)('describes $name with its summary, responses and problems', ({ operation }) => {
    expect(operation.summary).toMatch(/^[A-Z].*\.$/s);
    const statuses = Object.keys(operation.responses);
    expect(statuses.filter((status) => status.startsWith('2'))).not.toEqual([]);
    expect(statuses).toEqual(expect.arrayContaining(['401', '503', 'default']));
    for (const status of statuses.filter((each) => !/^[23]/.test(each))) {
      expect(operation.responses[status]?.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } },
      });
    }
  });

  test('names in each description who may call the operation, as the routes decide', () => {
    const levels = ['member', 'viewer', 'editor', 'manager', 'admin'] as const;
    const differences = rows
      .filter(({ path }) => path.startsWith('/api/'))
      .flatMap((row) => {
        const name = asRouted(row).replaceAll(/:(\w+)/g, '{$1}');
        const description = operations.find((each) => each.name === name)?.operation.description ?? '';
        const named = levels.find((level) => description.includes(callerSentences[level]));
        const first = levels.find((level) => row.statuses[level] < 400);
        if (row.statuses.anyone < 400 || description.includes(callerSentences.anyone)) return [];
        // A further sentence names what a part of the operation requires, such as the request of the table.
        const hasMore = named !== undefined && !description.endsWith(callerSentences[named]);
        const fits =
          named === first ||
          first === undefined ||
          (hasMore && levels.indexOf(named) < levels.indexOf(first));
        return fits && named !== undefined
          ? []
          : [`${name}: ${named} in src/openapi-callers.ts, but ${first} may`];
      });
    expect(differences).toEqual([]);
    const known = operations.map(({ name }) => name);
    expect(operationsWithCallers.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('declares the headers of responses, so that generated clients can page and wait', () => {
    const headersOf = (path: string, method: string, status: string) =>
      Object.keys(document.paths[path]?.[method]?.responses[status]?.headers ?? {});
    const lists = operations.filter(({ operation }) =>
      operation.parameters?.some(({ name }) => name === 'cursor'),
    );
    expect(lists.length).toBeGreaterThan(15);
    const unpaged = lists.filter(({ operation }) => !('Link' in (operation.responses['200']?.headers ?? {})));
    expect(unpaged.map(({ name }) => name)).toEqual([]);
    for (const { operation } of operations) {
      expect(Object.keys(operation.responses)).toContain('429');
      expect(Object.keys(operation.responses['429']?.headers ?? {})).toContain('Retry-After');
      expect(Object.keys(operation.responses['503']?.headers ?? {})).toContain('Retry-After');
      expect(Object.keys(operation.responses['401']?.headers ?? {})).toContain('WWW-Authenticate');
    }
    expect(headersOf('/api/groups', 'post', '201')).toContain('Location');
    expect(headersOf('/api/users/invite', 'post', '201')).toContain('Idempotency-Replayed');
    expect(headersOf('/api/workspaces', 'get', '200')).toEqual(
      expect.arrayContaining(['Link', 'ETag', 'RateLimit', 'RateLimit-Policy', 'X-Request-Id']),
    );
    expect(Object.keys(document.paths['/api/groups']?.post?.responses ?? {})).toEqual(
      expect.arrayContaining(['201', '400', '401', '403', '409', '429', '503']),
    );
  });

  test('gives ids of the service the format uuid, in bodies and parameters', () => {
    const { properties } = document.components.schemas.WorkspaceDto as Schema;
    expect(properties).toMatchObject({ id: { format: 'uuid' }, pbi_workspace_id: { format: 'uuid' } });
    const { parameters = [] } = document.paths['/api/reports/{id}']?.get ?? {};
    expect(parameters[0]).toMatchObject({ name: 'id', schema: { format: 'uuid' } });
    const withoutForm = [...namedSchemas(raw)].filter(
      ({ name, schema: { format, pattern } }) => /(^|_)id$/.test(name) && (format ?? pattern) === undefined,
    );
    const names = withoutForm
      .filter(({ schema }) => typesOf(schema).includes('string'))
      .map(({ name }) => name);
    // Of other systems.
    expect([...new Set(names)].toSorted()).toEqual([
      'client_id',
      'object_id',
      'pbi_dataset_id',
      'request_id',
      'tenant_id',
      'token_id',
    ]);
  });

  test('gives every number the type integer, also if it may be null', () => {
    const numbers = [...namedSchemas(raw)].filter(({ schema }) => typesOf(schema).includes('number'));
    expect(numbers.map(({ name }) => name)).toEqual([]);
    const { p95 } = document.components.schemas.PercentilesDto?.properties ?? {};
    expect(p95).toMatchObject({ type: ['integer', 'null'] });
  });

  test('marks nothing with a default as required', () => {
    const parameters = operations.flatMap(({ name, operation }) =>
      (operation.parameters ?? []).map((parameter) => ({ where: name, ...parameter })),
    );
    const members = Object.entries(document.components.schemas).flatMap(([where, { properties, required }]) =>
      Object.entries(properties ?? {}).map(([name, schema]) => ({
        where,
        name,
        schema,
        required: required?.includes(name) === true,
      })),
    );
    const filledIn = [...parameters, ...members].filter(({ schema }) => schema.default !== undefined);
    expect(filledIn.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['limit', 'sort', 'kind', 'role']),
    );
    expect(filledIn.filter(({ required }) => required)).toEqual([]);
  });

  test('lists every problem code', () => {
    const { properties } = document.components.schemas.ProblemDto as Schema;
    expect(properties?.code).toMatchObject({ enum: Object.keys(problemCatalogue).toSorted() });
  });

  test("distinguishes the audit trail's files from its pages", () => {
    const { content } = document.paths['/api/audit-events']?.get?.responses['200'] ?? {};
    expect(content).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/AuditEventListDto' } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'text/csv': { schema: { type: 'string' } },
    });
  });

  test('requires a token for everything but the token request and the previews of links', () => {
    const open = operations.filter(({ operation }) => operation.security !== undefined);
    expect(open.map(({ name }) => name)).toEqual([
      'POST /api/auth/token',
      'POST /login/password-reset/preview',
      'POST /login/invitation/preview',
    ]);
  });

  test('has the schemas of the specified interface', () => {
    const { schemas } = document.components;
    expect(schemas.WorkspaceDto).toMatchObject({
      properties: {
        id: { type: 'string' },
        name: { type: 'string' },
        pbi_workspace_id: { type: 'string' },
        report_count: { type: 'integer' },
      },
      required: ['id', 'name', 'pbi_workspace_id', 'report_count'],
    });
    expect(schemas.UserDto?.properties).toMatchObject({
      role: { type: 'string', enum: ['admin', 'member'] },
      last_sign_in_at: { type: ['string', 'null'], format: 'date-time' },
    });
    expect(schemas.EmbedRequestDto).not.toHaveProperty('required');
  });
});

/** Runs before the service. */
const refuseSwagger = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      if (found.url.includes('/@nestjs/swagger/')) throw new Error(specifier + ' is loaded');
      return found;
    },
  });`;

describe('the served document', () => {
  let program: Program | undefined;
  afterAll(() => program?.close());

  test('is the committed one when DOCS_ENABLED is true, and @nestjs/swagger is not loaded', async () => {
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refuseSwagger)}`;
    program = await startProgram({ DOCS_ENABLED: 'true', NODE_OPTIONS });
    const api = new Client(program.url);
    expect((await api.get('/openapi.json')).body).toEqual(raw);
    const page = await fetch(`${program.url}/docs`);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toContain('text/html');
  });
});

describe('without DOCS_ENABLED', () => {
  test('OBS-08 /docs and /openapi.json are not served', async () => {
    const service = await startService({ DOCS_ENABLED: 'false' });
    try {
      for (const path of [
        '/docs',
        '/docs/',
        '/openapi.json',
        '/docs-json',
        '/docs-yaml',
        '/docs/swagger-ui.css',
      ]) {
        expect(await service.api.get(path)).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
      }
    } finally {
      await service.close();
    }
  });
});
