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

/** `nest build` empties `dist`: what it does not make comes after it. */
const steps = [
  ['@nestjs/cli/bin/nest.js', 'build'],
  ['../local/bundle.js'],
  ['vite/bin/vite.js', 'build', 'embed', '--logLevel', 'warn'],
  ['vite/bin/vite.js', 'build', 'portal', '--logLevel', 'error'],
  ['typescript/bin/tsc', '-p', 'embed/tsconfig.build.json'],
];
const products = [
  'dist/tsconfig.tsbuildinfo',
  'dist/service/main.js',
  'dist/portal/embed.js',
  'dist/portal/index.html',
];
const sources = [
  'src',
  'local',
  'emulator',
  'bench',
  'test/faults',
  'embed/src',
  'embed/vite.config.ts',
  'embed/tsconfig.json',
  'portal',
  'ormconfig.ts',
  'package.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

function isStale() {
  if (products.some((name) => !existsSync(join(root, name)))) return true;
  const built = Math.min(...products.map((name) => statSync(join(root, name)).mtimeMs));
  return sources.some((name) => existsSync(join(root, name)) && newestIn(join(root, name)) > built);
}

function run(args, variables = {}) {
  const env = { ...process.env, ...variables };
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}

/** Everything that is built, into `dist`, and the package into `embed/dist`. */
function build() {
  for (const [program, ...args] of steps) run([join(root, 'node_modules', program), ...args]);
}

/** What the service compiles to, for `npm run start:prod`: nothing else waits for it. */
function keepCompiled() {
  run(['--eval', 'import("./dist/service/main.js")'], { NODE_COMPILE_CACHE: 'dist/compile-cache' });
}

/** Builds when something is missing or older than the sources. */
export function ensureBuilt() {
  if (!isStale()) return;
  console.log('Building…');
  build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode24();
  build();
  keepCompiled();
}
