// Plain JavaScript: it runs before anything is built, and must answer on an old Node too.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the process with the reason when this Node is below the 24 that the project brings. */
export function requireNode24() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  console.error(
    `Vitrine needs Node 24 and found ${process.versions.node}. It brings its own: run "npm ci" with ` +
      'install scripts allowed and without --omit=dev, then use the npm scripts.',
  );
  process.exit(1);
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newestIn(join(path, name))));
}

function isStale() {
  const stamp = join(root, 'dist/tsconfig.tsbuildinfo');
  if (!existsSync(stamp)) return true;
  const sources = [
    'src',
    'local',
    'emulator',
    'bench',
    'ormconfig.ts',
    'package.json',
    'tsconfig.build.json',
    'nest-cli.json',
  ];
  const built = statSync(stamp).mtimeMs;
  return sources.some((name) => existsSync(join(root, name)) && newestIn(join(root, name)) > built);
}

/** Builds into `dist` when it is missing or older than the sources. */
export function ensureBuilt() {
  if (!isStale()) return;
  console.log('Building…');
  const cli = join(root, 'node_modules/@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [cli, 'build'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
