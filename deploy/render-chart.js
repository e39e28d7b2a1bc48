// Lints the chart with Helm and renders it in the ways that test/deploy looks at: node deploy/render-chart.js
// Helm is HELM or the `helm` on the path; with --check nothing is written and a difference fails.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { chartDigest, renderings } from './chart-digest.js';

const helm = process.env.HELM ?? 'helm';
const chart = fileURLToPath(new URL('chart/vitrine', import.meta.url));

function run(...args) {
  const { status, stdout, stderr, error } = spawnSync(helm, args, { encoding: 'utf8' });
  if (error) {
    console.error(`No Helm to be had (${error.code}): name one with HELM=/path/to/helm`);
    process.exit(3);
  }
  if (status !== 0) {
    console.error(stdout, stderr);
    process.exit(1);
  }
  return stdout;
}

for (const [name, values] of Object.entries(renderings)) {
  const set = Object.entries(values).flatMap(([key, value]) => [
    '--set-json',
    `${key}=${JSON.stringify(value)}`,
  ]);
  run('lint', '--strict', chart, ...set);
  const text = `# chart: ${chartDigest()}\n${run('template', 'prod', chart, ...set)}`;
  const file = fileURLToPath(new URL(`../test/deploy/chart/${name}.yaml`, import.meta.url));
  if (!process.argv.includes('--check')) writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    console.error(`${file} is not what the chart renders to: run node deploy/render-chart.js`);
    process.exitCode = 1;
  }
}
