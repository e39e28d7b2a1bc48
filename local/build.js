// Plain JavaScript: it runs before the build and must report an unsupported Node version.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './npm-script.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Ends the process with an error if packages are missing, or if this Node, which is one of them, is older than 24. */
export function requireNode24() {
  if (!existsSync(join(root, 'node_modules', '@nestjs', 'cli'))) {
    console.error('Packages are missing. Run "npm ci" first, without --omit=dev.');
    process.exit(1);
  }
  if (Number(process.versions.node.split('.')[0]) >= 24) return;
  console.error(
    `Vitrine requires Node 24 but runs on ${process.versions.node}. To install Node 24, run "npm ci" with ` +
      'install scripts allowed and without --omit=dev, then use the npm scripts.',
  );
  process.exit(1);
}

function newestIn(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  // The build output of a package is not a source, nor are documents and generated types, which do not affect a build.
  const names = readdirSync(path).filter(
    (name) => name !== 'dist' && name !== 'schema.d.ts' && !name.endsWith('.md'),
  );
  return Math.max(0, ...names.map((name) => newestIn(join(path, name))));
}

/** Only `nest build` empties `dist`. */
const steps = [
  [
    'Building the emulator',
    ['node_modules/typescript/bin/tsc', '-p', 'packages/power-bi-emulator/tsconfig.build.json'],
  ],
  [
    'Building the service',
    ['node_modules/@nestjs/cli/bin/nest.js', 'build'],
    ['--conditions=openapi', 'dist/src/reference/generate-openapi.js', 'dist/openapi.json'],
  ],
  [
    'Building the embed package',
    ['node_modules/vite/bin/vite.js', 'build', 'packages/embed', '--logLevel', 'warn'],
    ['node_modules/typescript/bin/tsc', '-p', 'packages/embed/tsconfig.build.json'],
  ],
  [
    'Building the portal',
    ['node_modules/vite/bin/vite.js', 'build', 'packages/portal', '--logLevel', 'error'],
  ],
];
const products = [
  'dist/tsconfig.tsbuildinfo',
  'dist/src/main.js',
  'dist/openapi.json',
  'dist/portal/embed.js',
  'packages/power-bi-emulator/dist/index.js',
  'dist/portal/index.html',
];
const sources = [
  'src',
  'local',
  'packages/power-bi-emulator',
  'bench',
  'test/faults',
  'packages/embed/src',
  'packages/embed/vite.config.ts',
  'packages/embed/tsconfig.json',
  'packages/portal',
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

/** Returns the program's exit status. Its child processes end with this process. */
async function run(args) {
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const kill = () => child.kill();
  process.once('exit', kill);
  const [status] = await once(child, 'close');
  process.off('exit', kill);
  if (status !== 0) process.exit(status ?? 1);
}

const reasons = {
  ENOSPC: 'the disk is full. Free about 1 GB',
  EROFS: 'it is read-only. Build in a writable copy',
  EACCES: 'it is not writable for this user. Build in a writable copy',
  EPERM: 'it is not writable for this user. Build in a writable copy',
};

/** Fails before the compiler does, whose error would name a different file. */
function requireWritable() {
  const probe = join(root, 'dist', '.writable');
  try {
    mkdirSync(join(root, 'dist'), { recursive: true });
    writeFileSync(probe, Buffer.alloc(65_536));
    rmSync(probe);
  } catch (error) {
    const reason = reasons[error.code];
    if (reason === undefined) throw error;
    console.error(`The build cannot write to ${join(root, 'dist')}: ${reason}.`);
    process.exit(1);
  }
}

async function timed(title, work) {
  process.stdout.write(`${title}… `);
  const began = Date.now();
  await work();
  console.log(`${Math.ceil((Date.now() - began) / 1000)} s`);
}

/** Builds everything into `dist`, and the packages that others install into their own `dist`. */
async function build() {
  requireWritable();
  for (const [title, ...programs] of steps) {
    await timed(title, async () => {
      for (const args of programs) await run(args);
    });
  }
}

/** Builds if an output is missing or older than the sources. */
export async function ensureBuilt() {
  if (isStale()) await build();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode24();
  await build();
}
