import { join } from 'node:path';
import { startEmulator } from '@vitrine/power-bi-emulator';
import { freePort } from './free-port.js';
import { readIfExists, replaceFile } from '../src/core/files.js';

export interface PowerBi {
  url: string;
  /** Whether the previous start had another URL: the embed URLs of the catalogue begin with that one. */
  hasMoved: boolean;
}

/** Starts the emulator on the requested port, or on that of the previous start. */
export async function startPowerBi(
  dataDir: string,
  wantedPort: number | undefined,
  parts: AsyncDisposableStack,
): Promise<PowerBi> {
  const file = join(dataDir, 'emulator.json');
  const text = readIfExists(file);
  const lastUrl = text === null ? null : (JSON.parse(text) as { url: string }).url;
  const lastPort = lastUrl === null ? 0 : Number(new URL(lastUrl).port);
  const emulator = await startEmulator({ port: wantedPort || (await freePort(lastPort)) });
  parts.defer(() => emulator.close());
  replaceFile(file, JSON.stringify({ url: emulator.url }));
  return { url: emulator.url, hasMoved: lastUrl !== null && lastUrl !== emulator.url };
}
