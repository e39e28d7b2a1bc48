import { randomUUID } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import { demoTenant } from '../demo-tenant.js';
import type { ServicePrincipal } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { audiences } from './audiences.js';

export interface BearerClaims {
  appid?: string;
  azp?: string;
  oid: string;
  exp: number;
}

export interface TokenOrder {
  to: ServicePrincipal;
  audience: string;
  /** In seconds. */
  lifetime: number;
}

/**
 * An app-only token in the format that Entra issues for Power BI (v1.0). Without `nbf`, so that tokens stay valid when
 * the clock is set back (as a reset does).
 */
export function issueAccessToken(
  emulator: Emulator,
  { to, audience, lifetime }: TokenOrder,
): Promise<string> {
  const now = emulator.clock.seconds();
  const version = emulator.guess('access_token_version');
  const issuers = {
    '1.0': `https://sts.windows.net/${demoTenant.tenantId}/`,
    '2.0': `https://login.microsoftonline.com/${demoTenant.tenantId}/v2.0`,
  };
  return new SignJWT({
    [version === '1.0' ? 'appid' : 'azp']: to.clientId,
    oid: to.objectId,
    sub: to.objectId,
    tid: demoTenant.tenantId,
    idtyp: 'app',
    ver: version,
    uti: randomUUID(),
  })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: 'emulator' })
    .setIssuer(issuers[version])
    .setAudience(audience)
    .setIssuedAt(now)
    .setExpirationTime(now + lifetime)
    .sign(emulator.keys.entra.privateKey);
}

/** Returns the token's claims, or why it is rejected. */
export async function readAccessToken(
  emulator: Emulator,
  token: string,
): Promise<BearerClaims | 'expired' | 'invalid'> {
  try {
    const { payload } = await jwtVerify<BearerClaims>(token, emulator.keys.entra.publicKey, {
      audience: audiences,
      currentDate: emulator.clock.now(),
    });
    return payload;
  } catch (error) {
    return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
  }
}
