import { gunzipSync, gzipSync } from 'node:zlib';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Emulator } from '../emulator.js';

export interface EffectiveIdentity {
  username?: string;
  roles?: string[];
  datasets?: string[];
  reports?: string[];
  customData?: string;
  identityBlob?: { value: string };
  auditableContext?: string;
}

/** Content and identities that an embed token grants access to. */
export interface EmbedGrant {
  tokenId: string;
  clientId: string;
  /** User principal name, if the token was issued to a user. */
  upn?: string;
  reports: { id: string; allowEdit: boolean }[];
  datasets: string[];
  dashboards?: string[];
  tiles?: string[];
  targetWorkspaces: string[];
  identities: EffectiveIdentity[];
  access: 'View' | 'Edit' | 'Create';
}

/** Two parts like Microsoft's: gzipped data that only the service reads, and JSON with the cluster and the expiry. */
export async function sealEmbedToken(
  emulator: Emulator,
  grant: EmbedGrant,
  expires: number,
): Promise<string> {
  const signed = await new SignJWT({ grant })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(expires)
    .sign(emulator.keys.embed);
  const second =
    emulator.guess('embed_token_tail') === 'newer'
      ? { clusterUrl: emulator.url, exp: expires, allowAccessOverPublicInternet: true }
      : { clusterUrl: emulator.url, embedFeatures: { modernEmbed: false } };
  return `${gzip64(signed)}.${Buffer.from(JSON.stringify(second)).toString('base64')}`;
}

/** Returns the grant and its expiry, or why the token is rejected. */
export async function openEmbedToken(
  emulator: Emulator,
  token: string,
): Promise<{ grant: EmbedGrant; expires: number } | 'expired' | 'invalid'> {
  try {
    const signed = gunzipSync(Buffer.from(token.split('.')[0]!, 'base64url'), { maxOutputLength: 1 << 20 });
    const { payload } = await jwtVerify<{ grant: EmbedGrant; exp: number }>(
      signed.toString('utf8'),
      emulator.keys.embed,
      { currentDate: emulator.clock.now() },
    );
    return { grant: payload.grant, expires: payload.exp };
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
  }
}

function gzip64(text: string): string {
  const zipped = gzipSync(text, { level: 1 });
  // .NET sets the "operating system" byte of the header to 0, so real tokens begin with H4sIAAAAAAAEA.
  zipped[9] = 0;
  return zipped.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
