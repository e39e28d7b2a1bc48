// Loads TypeScript in Node. SWC compiles it as the compiler options of tsconfig.json say.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const root = new URL('../../', import.meta.url);
const cache = fileURLToPath(new URL('node_modules/.cache/jest-swc/', root));
const { version } = JSON.parse(readFileSync(new URL('node_modules/@swc/core/package.json', root), 'utf8'));
mkdirSync(cache, { recursive: true });

const settings = {
  swcrc: false,
  jsc: {
    target: 'es2024',
    parser: { syntax: 'typescript', decorators: true },
    transform: {
      legacyDecorator: true,
      decoratorMetadata: true,
      useDefineForClassFields: false,
      react: { runtime: 'automatic' },
    },
    keepClassNames: true,
  },
  module: { type: 'es6' },
  sourceMaps: true,
};

/** Sources in place of their build. `test/emulator/clients/` tests the packed package. */
const packages = {
  '@vitrine/power-bi-emulator': new URL('packages/power-bi-emulator/index.ts', root).href,
  '#openapi': new URL('src/core/http/openapi-decorators.ts', root).href,
};

const isTypeScript = (url) => /\.tsx?(\?|$)/.test(url);
const hash = (...parts) => parts.reduce((sum, part) => sum.update(part), createHash('sha1')).digest('hex');

/** Written at once, because another worker may read it. */
function write(path, text) {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, text);
  renameSync(own, path);
}

/** The compiled code of a file, and the path of its source map. The cache has one version of each file. */
export function compile(path, text) {
  const file = cache + hash(path);
  const [code, map] = [`${file}.js`, `${file}.map`];
  const mark = `\n// ${hash(version, JSON.stringify(settings), text)}`;
  const cached = existsSync(code) ? readFileSync(code, 'utf8') : '';
  if (cached.endsWith(mark)) return { code: cached, map };
  const output = transformSync(text, { ...settings, filename: path });
  write(map, output.map);
  write(code, output.code + mark);
  return { code: output.code, map };
}

/** From the URL of a module to the file with its source map. */
const mapFiles = new Map();
const sourceMaps = new Map();

function sourceMapOf(url) {
  const file = mapFiles.get(url);
  if (file !== undefined && !sourceMaps.has(url))
    sourceMaps.set(url, new SourceMap(JSON.parse(readFileSync(file, 'utf8'))));
  return sourceMaps.get(url);
}

/** Lines of a stack that are not of a test: Jest shows the source of the first one that remains. */
const here = RegExp.escape(fileURLToPath(new URL('.', import.meta.url)));
const ours = new RegExp(`^ +at .*${here}[\\w-]+\\.js:.*\\n?`, 'gm');

/** Replaces the places in the stacks of an error and its causes by those of the sources. Only for failures: it takes time. */
export function mapStack(error) {
  if (!(error instanceof Error)) return;
  const stack = error.stack
    ?.replaceAll(ours, '')
    .replaceAll(/(file:[^\s()]+):(\d+):(\d+)/g, (place, url, line, column) => {
      const entry = sourceMapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry?.originalLine === undefined) return place;
      return `${fileURLToPath(url)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    });
  if (stack !== undefined) error.stack = stack;
  mapStack(error.cause);
}

const sources = new Map();

/** A source names its imports as the built files are called. */
function sourceOf(url) {
  if (!sources.has(url)) {
    const candidates = ['.ts', '.tsx'].map((extension) => url.replace(/\.js$/, extension));
    sources.set(
      url,
      candidates.find((candidate) => existsSync(new URL(candidate))),
    );
  }
  return sources.get(url);
}

export function resolve(specifier, context, next) {
  if (isTypeScript(context.parentURL ?? '')) {
    const isRelative = specifier.startsWith('.') && specifier.endsWith('.js');
    const url = isRelative ? sourceOf(new URL(specifier, context.parentURL).href) : packages[specifier];
    if (url !== undefined) return { url, shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (url.includes('/node_modules/')) return next(url, context);
  // The portal imports JSON as its bundler allows it.
  if (url.endsWith('.json') && context.importAttributes.type === undefined) {
    const source = `export default ${readFileSync(fileURLToPath(url), 'utf8')}`;
    return { format: 'module', source, shortCircuit: true };
  }
  if (!isTypeScript(url)) return next(url, context);
  const path = fileURLToPath(url);
  const { code, map } = compile(path, readFileSync(path, 'utf8'));
  mapFiles.set(url, map);
  return { format: 'module', source: code, shortCircuit: true };
}
