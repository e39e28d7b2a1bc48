import { freePort } from '../local/free-port.js';
import type { TestBed } from './test-bed.js';
import { waitUntilReady } from './parts.js';

/** Starts one of the servers of `floor.ts` on the service's core. Returns its URL. */
export async function startYardstick(
  testBed: TestBed,
  name: string,
  variables: Record<string, string>,
): Promise<string> {
  const port = await freePort();
  const own = { YARDSTICK: name, PORT: String(port), DATABASE_URL: testBed.databaseUrl };
  testBed.start('bench/floor.js', { ...own, JWT_KEYS_FILE: testBed.jwtKeysFile, ...variables });
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url);
  return url;
}
