import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
  bin?: Record<string, string>;
}

export const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

export interface InstalledPackage {
  folder: string;
  /** The paths in the archive. */
  files: string[];
}

/** Packs a workspace and unpacks it as `npm install` does, with the dependencies that its package.json names. */
export function installPacked(name: string, project: string): InstalledPackage {
  const [packed] = JSON.parse(
    // The build of the repository has built it; building it again would write to `dist` during other tests.
    execFileSync('npm', ['pack', '-w', name, '--json', '--ignore-scripts', '--pack-destination', project], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as { filename: string; files: { path: string }[] }[];
  if (packed === undefined) throw new Error(`npm pack printed no archive of ${name}`);
  const folder = join(project, 'node_modules', name);
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, packed.filename), '-C', folder, '--strip-components=1']);
  for (const dependency of Object.keys(manifestOf(folder).dependencies ?? {})) {
    const link = join(project, 'node_modules', dependency);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(process.cwd(), 'node_modules', dependency), link);
  }
  return { folder, files: packed.files.map(({ path }) => path) };
}
