// Packs what a host needs to run the service, its Node included: node deploy/release.js [folder]
// Run `npm ci && npm run build` first. The archive fits Linux on the processor that it is made on.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { productionPackages } from './production-packages.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { version } = read('package.json');
const name = `vitrine-${version}`;
const archive = join(resolve(process.argv[2] ?? '.'), `${name}-linux-${process.arch}.tar.gz`);

const built = ['dist/src', 'dist/ormconfig.js', 'dist/openapi.json', 'dist/portal'];
const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'docs'];

/** Packages without the development ones; what is nested in a package comes with it. */
const packages = productionPackages(read('package-lock.json').packages)
  .filter((path) => path.lastIndexOf('node_modules/') === 0)
  .filter((path) => existsSync(join(root, path)));

function fail(reason) {
  console.error(reason);
  process.exit(1);
}

if (process.platform !== 'linux') fail('Make the archive on Linux: it holds programs of the platform.');
for (const path of built) if (!existsSync(join(root, path))) fail(`${path} is missing: run npm run build`);

const paths = [
  'bin',
  'node_modules/node/bin/node',
  ...built,
  ...packages,
  'deploy',
  ...documents,
  'package.json',
];
const uniform = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go=rX'];
const renamed = ['s,^node_modules/node/bin/node$,bin/node,', `s,^,${name}/,`].map(
  (each) => `--transform=${each}`,
);
const from = [`--directory=${root}`, '--files-from=-'];
const { status } = spawnSync(
  'tar',
  ['--create', '--gzip', `--file=${archive}`, ...uniform, ...renamed, ...from],
  {
    input: `${paths.join('\n')}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
  },
);
if (status !== 0) fail('tar could not write the archive');
console.log(archive);
