import { Writable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { subscribe } from '../src/core/telemetry/telemetry-events.js';
import { logTo } from '../src/core/telemetry/logging.js';

const failures: string[] = [];
const stop = subscribe('log_failed', ({ reason }) => failures.push(reason));
afterEach(() => void failures.splice(0));
afterEach(stop);

test('OBS-06 a full disk, a closed reader and a blocked reader: counted, never thrown', () => {
  const full = new Writable();
  full.write = () => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
  };
  logTo(full).write('line\n');
  expect(failures).toEqual(['error']);

  const gone = new Writable();
  const log = logTo(gone);
  gone.emit('error', Object.assign(new Error('gone'), { code: 'EPIPE' }));
  gone.destroy();
  log.write('line\n');
  expect(failures).toEqual(['error', 'error', 'dropped']);

  let taken = 0;
  const still = new Writable({ write: (chunk: Buffer) => void (taken += chunk.length) });
  const held = logTo(still);
  for (let count = 0; count < 200; count += 1) held.write(`${'x'.repeat(100_000)}\n`);
  expect(taken).toBe(100_001);
  expect(still.writableLength).toBeLessThan(9_000_000);
  expect(failures.filter((reason) => reason === 'dropped').length).toBeGreaterThan(100);
});
