import type { ChildProcess } from 'node:child_process';
import { freePort } from '../local/free-port.js';
import type { TestBed } from './test-bed.js';
import { waitUntilReady } from './parts.js';

export interface Yardstick {
  url: string;
  program: ChildProcess;
}

/** Starts a program that the service is compared with on the service's core: by default, the server `YARDSTICK` of `floor.ts`. */
export async function startReference(
  testBed: TestBed,
  variables: Record<string, string>,
  path = 'bench/floor.js',
): Promise<Yardstick> {
  const port = await freePort();
  const own = { PORT: String(port), DATABASE_URL: testBed.databaseUrl, JWT_KEYS_FILE: testBed.jwtKeysFile };
  const program = testBed.start(path, { ...own, ...variables });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url);
  return { url, program };
}

/** Starts one of the servers of `floor.ts`. Returns its URL. */
export async function startYardstick(
  testBed: TestBed,
  name: string,
  variables: Record<string, string>,
): Promise<string> {
  const { url } = await startReference(testBed, { YARDSTICK: name, ...variables });
  return url;
}
