import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A separate file system that can be filled. */
export interface Disk {
  fill: () => void;
  free: () => void;
  unmount: () => void;
}

const mount = (folder: string, megabytes: number): string[] => [
  '-t',
  'tmpfs',
  '-o',
  `size=${megabytes}m,mode=755`,
  'tmpfs',
  folder,
];

export function mountDisk(folder: string, megabytes: number): Disk {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', mount(folder, megabytes));
  const filler = join(folder, 'filler');
  return {
    fill: () => {
      const { bavail, bsize } = statfsSync(folder);
      execFileSync('fallocate', ['-l', String(bavail * bsize), filler]);
    },
    free: () => rmSync(filler, { force: true }),
    unmount: () => void spawnSync('umount', ['-l', folder]),
  };
}

/** The reason why this machine cannot mount a file system, or null. */
export function diskObstacle(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-disk-'));
  const { status } = spawnSync('mount', mount(folder, 1));
  if (status === 0) spawnSync('umount', [folder]);
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? null : 'file systems cannot be mounted here';
}
