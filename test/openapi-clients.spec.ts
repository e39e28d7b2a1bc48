import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { operations } from './support/openapi-operations.js';
import { typeErrorsIn } from './support/type-errors.js';

const options: ts.CompilerOptions = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
};

const client = (type: string): string => `
import createClient from 'openapi-fetch';
import type { paths } from './schema.js';
const api = createClient<paths>({ baseUrl: 'https://vitrine.example' });
const { data } = await api.POST('/api/auth/token', { body: { email: 'ada@example.com', password: 'secret' } });
export const token: ${type} | undefined = data?.access_token;
`;

let folder: string;
let program: ts.Program;

beforeAll(() => {
  mkdirSync('node_modules/.cache', { recursive: true });
  // In `node_modules`, so that the client finds the packages that it imports.
  folder = mkdtempSync('node_modules/.cache/clients-');
  const generator = ['node_modules/openapi-typescript/bin/cli.js', 'openapi.json', '-o'];
  execFileSync(process.execPath, [
    ...generator,
    join(folder, 'schema.d.ts'),
    '--default-non-nullable',
    'false',
  ]);
  const files = ['string', 'number'].map((type) => join(folder, `${type}.ts`));
  for (const type of ['string', 'number']) writeFileSync(join(folder, `${type}.ts`), client(type));
  program = ts.createProgram(files, options);
});
afterAll(() => rmSync(folder, { recursive: true }));

const errorsIn = (name: string): string[] => typeErrorsIn(program, join(folder, name));

describe('generated clients', () => {
  test('the types of the portal are generated from openapi.json: run `npm run generate` and commit', () => {
    const generated = readFileSync(join(folder, 'schema.d.ts'), 'utf8');
    expect(readFileSync('packages/portal/src/api/schema.d.ts', 'utf8')).toBe(generated);
  });

  test('POST /api/auth/token returns an access_token of type string', () => {
    expect(errorsIn('string.ts')).toEqual([]);
    expect(errorsIn('number.ts')).toEqual([
      expect.stringContaining("'string' is not assignable to type 'number'"),
    ]);
  });

  // Without a schema, @hey-api/openapi-ts types all success responses of the operation as unknown.
  test('every success response has a schema, except 204', () => {
    const untyped = operations.flatMap(({ method, path, responses }) =>
      Object.entries(responses)
        .filter(
          ([status, { content }]) => status.startsWith('2') && status !== '204' && content === undefined,
        )
        .map(([status]) => `${method} ${path} ${status}`),
    );
    expect(untyped).toEqual([]);
  });

  test('POST /api/auth/token has three success responses', () => {
    const token = operations.find(({ path }) => path === '/api/auth/token');
    expect(token?.responses).toMatchObject({
      200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/TokenResponseDto' } } } },
      202: { content: { '*/*': { schema: { type: 'null' } } } },
      204: { description: expect.stringContaining('password_reset') },
    });
    expect(token?.responses['204']).not.toHaveProperty('content');
  });
});
