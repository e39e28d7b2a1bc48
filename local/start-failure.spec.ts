import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startFailure } from './start-failure.js';

const systemError = (code: string, path: string) =>
  Object.assign(new Error(`${code}: refused, open '${path}'`), { code, path });

describe('a failed local start names the variable to change (D10)', () => {
  test.each(['EROFS', 'EACCES', 'EPERM'])('%s in the data folder names DATA_DIR', (code) => {
    const text = startFailure(systemError(code, '/data/x'), '/data');
    expect(text).toMatch(/^\/data is not writable\. Set DATA_DIR/);
  });

  test('a full disk, reported by the system or by initdb, names DATA_DIR', () => {
    const initdb = new Error('Command failed: initdb\ncould not write to file: No space left on device');
    for (const error of [systemError('ENOSPC', '/data/x'), initdb]) {
      expect(startFailure(error, '/data')).toMatch(/^The disk of \/data is full\. Free .* DATA_DIR/);
    }
  });

  test('other errors keep their own message', () => {
    expect(startFailure(new Error('Port 1 is taken'), '/data')).toBe('Port 1 is taken');
    expect(startFailure(systemError('EACCES', '/keys/key.json'), '/data')).not.toContain('DATA_DIR');
  });
});

test('a start in a checkout without packages names the missing step, not a version of Node', () => {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  try {
    for (const name of ['package.json', 'local/start.js', 'local/build.js', 'local/npm-script.js'])
      cpSync(name, join(folder, name));
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'local/start.js')]);
    expect([status, String(stderr)]).toEqual([
      1,
      expect.stringMatching(/^Packages are missing. Run "npm ci"/),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
