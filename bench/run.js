// Plain JavaScript: it runs before anything is built, and must answer on an old Node too.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, requireNode24 } from '../local/build.js';

/** Each is a program of its own that prints its figures as JSON on its last line. */
const benches = ['requests', 'overload', 'catalogue-sync', 'portal-load'];

const file = fileURLToPath(new URL('results.json', import.meta.url));

function run(name) {
  console.log(`${name} …`);
  const program = fileURLToPath(new URL(`../dist/bench/${name}.js`, import.meta.url));
  const { status, stdout } = spawnSync(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  if (status !== 0) process.exit(status ?? 1);
  const figures = JSON.parse(stdout.trim().split('\n').at(-1));
  console.table(figures);
  return figures;
}

requireNode24();
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`No such benchmark: ${unknown.join(', ')}. There are: ${benches.join(', ')}`);
  process.exit(1);
}
ensureBuilt();
const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
for (const name of wanted.length > 0 ? wanted : benches) {
  const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length };
  results[name] = { at: new Date().toISOString(), ...machine, figures: run(name) };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
