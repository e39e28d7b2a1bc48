import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const file = { entryFileNames: 'embed.js' };

/** One file without dependencies, twice: for the package, and for the service to serve. */
export default defineConfig({
  root: here('.'),
  build: {
    emptyOutDir: false,
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      // Not as Vite's `lib`, whose ES modules keep their white space.
      input: here('src/index.ts'),
      preserveEntrySignatures: 'strict',
      output: [
        { ...file, dir: here('dist') },
        { ...file, dir: here('../../dist/portal') },
      ],
    },
  },
});
