import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import ts from 'typescript';
import { documents } from './documents.js';
import { typeErrorsIn } from '../support/type-errors.js';

const options: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  // Of JavaScript nobody expects types of its parameters.
  noImplicitAny: false,
  skipLibCheck: true,
  types: [],
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2024.d.ts', 'lib.dom.d.ts'],
};

const shown = documents
  .filter(({ path }) => ['README.md', 'docs/integration.md'].includes(path))
  .flatMap(({ path, blocks }) => blocks.map((block) => ({ path: basename(path, '.md'), ...block })))
  .filter(({ language }) => ['js', 'ts'].includes(language));
const snippets = shown.map(({ path, line, language, text }) => ({
  path,
  line,
  name: `${path}-${line}.${language}`,
  text,
}));
const wrong = {
  name: 'wrong.js',
  text: snippets[0]?.text.replace('models.TokenType.Embed', 'models.TokenType.Embedded') ?? '',
};

let folder: string;
let program: ts.Program;

beforeAll(() => {
  mkdirSync('node_modules/.cache', { recursive: true });
  // Below the packages, so that a snippet finds those that it imports.
  folder = mkdtempSync('node_modules/.cache/snippets-');
  const files = [...snippets, wrong].map(({ name, text }) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  });
  program = ts.createProgram(files, options);
});
afterAll(() => rmSync(folder, { recursive: true }));

const errorsIn = (name: string): string[] => typeErrorsIn(program, join(folder, name));

describe('snippets of the README and the integration guide', () => {
  test('exist', () => expect(snippets.length).toBeGreaterThan(0));

  test.each(snippets)('$path, line $line compiles with the packages that it uses', ({ name }) => {
    expect(errorsIn(name)).toEqual([]);
  });

  test('are checked by a compiler that detects errors', () => {
    expect(errorsIn(wrong.name)).toHaveLength(1);
  });
});
