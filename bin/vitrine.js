#!/usr/bin/env node
// Runs before the build, possibly under an older Node; the project includes the version that the service requires.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const program = pathOf('dist/src/cli/vitrine.js');
const ownNode = pathOf(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`);

function runWith(node) {
  const child = spawn(node, [program, ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.once('exit', (code, signal) => {
    process.exitCode = code ?? 128 + constants.signals[signal];
  });
}

if (!existsSync(pathOf('node_modules/commander'))) {
  console.error('Packages are missing. Run "npm ci" first.');
  process.exitCode = 2;
} else if (!existsSync(program)) {
  console.error('Build first: npm run build');
  process.exitCode = 2;
} else if (Number(process.versions.node.split('.')[0]) < 24 && existsSync(ownNode)) runWith(ownNode);
else await import('../dist/src/cli/vitrine.js');
