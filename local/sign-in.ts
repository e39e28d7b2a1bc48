import { join } from 'node:path';
import { freePort } from './free-port.js';
import { startIdentityProvider } from './identity-provider.js';
import { readIfExists, replaceFile } from '../src/core/files.js';

/** Starts the emulated identity provider, on the port of the previous start if it is free. Returns its issuer. */
export async function startSignIn(
  dataDir: string,
  publicUrl: string,
  parts: AsyncDisposableStack,
): Promise<string> {
  const file = join(dataDir, 'identity-provider.json');
  const text = readIfExists(file);
  const lastPort = text === null ? 0 : Number(new URL((JSON.parse(text) as { issuer: string }).issuer).port);
  const provider = await startIdentityProvider({ port: await freePort(lastPort), publicUrl });
  parts.defer(() => provider.close());
  replaceFile(file, JSON.stringify({ issuer: provider.issuer }));
  return provider.issuer;
}
