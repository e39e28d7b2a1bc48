import { freePort } from '../local/free-port.js';
import type { Bed } from './bed.js';
import { answers } from './parts.js';

/** Starts one of the servers of `floor.ts` on the service's core. Returns its URL. */
export async function startYardstick(
  bed: Bed,
  name: string,
  variables: Record<string, string>,
): Promise<string> {
  const port = await freePort();
  const own = { YARDSTICK: name, PORT: String(port), DATABASE_URL: bed.databaseUrl };
  bed.start('bench/floor.js', { ...own, JWT_KEYS_FILE: bed.jwtKeysFile, ...variables });
  const url = `http://127.0.0.1:${port}`;
  await answers(url);
  return url;
}
