import { readFileSync } from 'node:fs';
import { compile } from './typescript.js';

/** TypeScript for Jest's default runner. */
export default {
  process(text, path) {
    const { code, map } = compile(path, text);
    return { code, map: readFileSync(map, 'utf8') };
  },
};
