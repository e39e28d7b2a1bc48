// Plain JavaScript: it runs before the build and must report an unsupported Node version.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ensureBuilt, requireNode24 } from '../local/build.js';

/** Each is a separate program that prints its rows (`bench/rows.ts`) as JSON on its last line. */
const benches = [
  'morning',
  'sign-in',
  'growth',
  'embed',
  'rush',
  'memory',
  'start',
  'overload',
  'catalogue-sync',
  'usage',
  'portal-load',
  'scim',
];

const file = fileURLToPath(new URL('results.json', import.meta.url));
const columns = ['work', 'ratio', 'must', 'aim', 'reached', 'median (least to most)'];

/** Returns the rows of a benchmark; null when it failed. */
async function run(name) {
  console.log(`${name} …`);
  const program = fileURLToPath(new URL(`../dist/bench/${name}.js`, import.meta.url));
  const child = spawn(process.execPath, ['--enable-source-maps', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // The benchmark stops the programs that it started; wait for it.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  const [status] = await once(child, 'close');
  process.removeAllListeners('SIGINT').removeAllListeners('SIGTERM');
  if (status === 130) process.exit(130);
  return status === 0 ? JSON.parse(output.trim().split('\n').at(-1)) : null;
}

const formatFigure = (figure) => {
  if (typeof figure === 'number') return figure;
  const { median, least, most } = figure;
  return least === most ? median : `${median} (${least} to ${most})`;
};

const cells = ({ work, ratio, must, aim, reached, figures }) => [
  work,
  ...[ratio, must, aim, reached].map((value) => String(value ?? '')),
  Object.entries(figures)
    .map(([name, figure]) => `${name}: ${formatFigure(figure)}`)
    .join('; '),
];

function print(rows) {
  const lines = [columns, columns.map(() => '---'), ...rows.map(cells)];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index].length)));
  const last = columns.length - 1;
  for (const line of lines) {
    console.log(
      `| ${line.map((cell, index) => (index === last ? cell : cell.padEnd(widths[index]))).join(' | ')} |`,
    );
  }
}

function commit() {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

requireNode24();
const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !benches.includes(name));
if (unknown.length > 0) {
  console.error(`Unknown benchmark: ${unknown.join(', ')}. Available: ${benches.join(', ')}`);
  process.exit(1);
}
await ensureBuilt();
const machine = { node: process.version, cpu: cpus()[0]?.model, cores: cpus().length, commit: commit() };
const wanted = requested.length > 0 ? requested : benches;
const rows = [];
for (const name of wanted) {
  const found = await run(name);
  if (found === null) {
    process.exitCode = 1;
    rows.push({ work: `${name}: failed, see above`, figures: {} });
    continue;
  }
  rows.push(...found);
  const results = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  results[name] = { at: new Date().toISOString(), ...machine, rows: found };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
print(rows);
