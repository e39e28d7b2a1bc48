import { join } from 'node:path';
import { freePort } from './free-port.js';
import { startIdentityProvider } from './identity-provider.js';
import { keep, kept } from './kept-file.js';

/** The stand-in identity provider, where it was at the last start when that is free; gives its issuer. */
export async function startSignIn(
  dataDir: string,
  publicUrl: string,
  parts: AsyncDisposableStack,
): Promise<string> {
  const file = join(dataDir, 'identity-provider.json');
  const text = kept(file);
  const lastPort = text === null ? 0 : Number(new URL((JSON.parse(text) as { issuer: string }).issuer).port);
  const provider = await startIdentityProvider({ port: await freePort(lastPort), publicUrl });
  parts.defer(() => provider.close());
  keep(file, JSON.stringify({ issuer: provider.issuer }));
  return provider.issuer;
}
