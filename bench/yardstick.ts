import type { ChildProcess } from 'node:child_process';
import { freePort } from '../local/free-port.js';
import type { TestBed } from './test-bed.js';
import { waitUntilReady } from './parts.js';

/** A program that the service is compared with. */
export interface Reference {
  url: string;
  program: ChildProcess;
}

/** Starts a reference on the service's core: by default, the server of `floor.ts` that `YARDSTICK` names. */
export async function startReference(
  testBed: TestBed,
  variables: Record<string, string>,
  path = 'bench/floor.js',
): Promise<Reference> {
  const port = await freePort();
  const own = { PORT: String(port), DATABASE_URL: testBed.databaseUrl, JWT_KEYS_FILE: testBed.jwtKeysFile };
  const program = testBed.start(path, { ...own, ...variables });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url);
  return { url, program };
}
