#!/usr/bin/env node
// Its own file, as npx needs an executable one and the build makes none.
import { existsSync } from 'node:fs';

const built = new URL('../dist/src/cli/vitrine.js', import.meta.url);
if (existsSync(built)) await import(built);
else {
  console.error('Build first: npm run build');
  process.exitCode = 2;
}
