import { join } from 'node:path';
import { startEmulator } from '../packages/power-bi-emulator/server.js';
import { freePort } from './free-port.js';
import { keep, kept } from './kept-file.js';

/** Starts the emulator on the requested port, or on that of the previous start. Returns its URL. */
export async function startPowerBi(
  dataDir: string,
  wantedPort: number | undefined,
  parts: AsyncDisposableStack,
): Promise<string> {
  const file = join(dataDir, 'emulator.json');
  const text = kept(file);
  const lastPort = text === null ? 0 : Number(new URL((JSON.parse(text) as { url: string }).url).port);
  const emulator = await startEmulator({ port: wantedPort || (await freePort(lastPort)) });
  parts.defer(() => emulator.close());
  keep(file, JSON.stringify({ url: emulator.url }));
  return emulator.url;
}
