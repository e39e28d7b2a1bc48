import { readFileSync, writeFileSync } from 'node:fs';
import { demoContent } from '../content/demo.js';
import { Emulator } from '../emulator.js';
import { servedOperations } from '../rest/operations.js';
import { coveragePage, currentReadme } from './coverage.js';

/** Writes COVERAGE.md and the generated parts of the README. Runs in the root of the repository. */
const folder = 'packages/power-bi-emulator';
const served = servedOperations(await Emulator.create(demoContent));
const readme = readFileSync(`${folder}/README.md`, 'utf8');
writeFileSync(`${folder}/COVERAGE.md`, coveragePage(served));
writeFileSync(`${folder}/README.md`, currentReadme(readme, served));
console.log(`${served.length} operations are served.`);
