import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** Where the pages of `npx vite portal` find the service: the address that `npm start` prints. */
const service = process.env.VITRINE_URL ?? 'http://127.0.0.1:3000';

/** What the service fills in where it serves the page. */
const filledIn: Plugin = {
  name: 'filled-in',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace('%BASE%', '/'),
};

/** Compressed at build time, with the highest level: the service compresses nothing per request. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const [name, file] of Object.entries(bundle)) {
      if (!/\.(js|css)$/.test(name)) continue;
      const content = file.type === 'chunk' ? file.code : file.source;
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content));
      writeFileSync(join(dir, `${name}.gz`), gzipSync(content, { level: 9 }));
    }
  },
};

const mantineStyles = fileURLToPath(new URL('src/mantine.css', import.meta.url));

/** All of Mantine's styles are half as much again as what the pages use: each is named, and none may be forgotten. */
const styled: Plugin = {
  name: 'styled',
  apply: 'build',
  generateBundle(_options, bundle) {
    const styles = readFileSync(mantineStyles, 'utf8');
    const modules = Object.values(bundle).flatMap((file) =>
      file.type === 'chunk' ? Object.keys(file.modules) : [],
    );
    for (const module of modules) {
      const [, name] = /@mantine\/core\/.*\/(\w+)\.module\.mjs$/.exec(module) ?? [];
      if (name !== undefined && !styles.includes(`styles/${name}.css`)) {
        this.error(`packages/portal/src/mantine.css lacks the styles of ${name}`);
      }
    }
  },
};

const mergedRefs = '\0merged-refs';

/** Mantine's ScrollArea, and so every table, needs one function of Floating UI, all of which is 15 kB. */
const withoutFloating: Plugin = {
  name: 'without-floating',
  enforce: 'pre',
  resolveId: (source, importer) =>
    source === '@floating-ui/react' && importer?.endsWith('/ScrollArea.mjs') === true
      ? mergedRefs
      : undefined,
  load: (id) =>
    id === mergedRefs
      ? `import { useMergedRef } from '@mantine/hooks'; export const useMergeRefs = (refs) => useMergedRef(...refs);`
      : undefined,
};

/** What every page needs of Mantine. */
const everywhere =
  /@mantine\/(hooks\/.*\/use-(id|merged-ref|uncontrolled|media-query)|core\/.*\/(get-style-object|get-default-z-index|DirectionProvider|create-safe-context|get-sorted-breakpoints|get-contrast-color|noop|Mantine\.context|use-mantine-color-scheme|use-computed-color-scheme|use-resolved-styles-api))(\/|\.)/;

export default defineConfig({
  plugins: [filledIn, compressed, styled, withoutFloating],
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative: the service puts the path of its PUBLIC_URL into <base>.
  base: './',
  // The service replaces it by a new one in every response.
  html: { cspNonce: '%NONCE%' },
  // Its source, not its build: `packages/embed/` need not be built first.
  resolve: {
    alias: { '@vitrine/embed': fileURLToPath(new URL('../embed/src/index.ts', import.meta.url)) },
  },
  oxc: { jsx: { runtime: 'automatic' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/portal', import.meta.url)),
    emptyOutDir: false,
    // A small picture as data: in the style sheet would need its own line in the policy.
    assetsInlineLimit: 0,
    sourcemap: true,
    target: 'es2023',
    // Small modules that every page needs: one file is smaller than many.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'base', test: everywhere }] } } },
  },
  server: { proxy: Object.fromEntries(['/api', '/login', '/logout'].map((path) => [path, service])) },
});
