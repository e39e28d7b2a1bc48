import { createHash, randomUUID } from 'node:crypto';
import { compactVerify, SignJWT, type JWTPayload } from 'jose';
import { demoTenant } from '../demo-tenant.js';
import type { ServicePrincipal } from '../content/model.js';
import type { Person } from '../content/people.js';
import type { Emulator } from '../emulator.js';
import { audiences } from './audiences.js';

export interface BearerClaims {
  appid?: string;
  azp?: string;
  oid: string;
  exp: number;
  aud: string;
  /** Of a user's token: v1.0, v2.0. */
  upn?: string;
  preferred_username?: string;
}

export interface TokenOrder {
  to: ServicePrincipal;
  audience: string;
  /** In seconds. */
  lifetime: number;
  /** Whom the app acts for, and with which permissions; absent: for itself. */
  user?: { person: Person; permissions: string[] };
}

export interface IdTokenOrder {
  to: ServicePrincipal;
  person: Person;
  issuer: string;
  version: '1.0' | '2.0';
  lifetime: number;
  nonce?: string;
}

/** A token in the format that Entra issues for Power BI (v1.0). */
export function issueAccessToken(emulator: Emulator, order: TokenOrder): Promise<string> {
  const { to, user, audience, lifetime } = order;
  const version = emulator.guess('access_token_version');
  const issuers = {
    '1.0': `https://sts.windows.net/${demoTenant.tenantId}/`,
    '2.0': `https://login.microsoftonline.com/${demoTenant.tenantId}/v2.0`,
  };
  const claims = {
    [version === '1.0' ? 'appid' : 'azp']: to.clientId,
    ...(user
      ? { ...personClaims(version, user.person, to), scp: user.permissions.join(' ') }
      : { oid: to.objectId, sub: to.objectId, idtyp: 'app' }),
    ver: version,
  };
  return sign(emulator, claims, { issuer: issuers[version], audience, lifetime });
}

export function issueIdToken(emulator: Emulator, order: IdTokenOrder): Promise<string> {
  const { to, person, issuer, version, lifetime, nonce } = order;
  const claims = { ...personClaims(version, person, to), ...(nonce && { nonce }), ver: version };
  return sign(emulator, claims, { issuer, audience: to.clientId, lifetime });
}

function personClaims(version: '1.0' | '2.0', person: Person, to: ServicePrincipal): JWTPayload {
  const { upn, objectId, displayName } = person;
  // The subject is pairwise: it differs between apps.
  const sub = createHash('sha256').update(`${objectId} ${to.clientId.toLowerCase()}`).digest('base64url');
  const names = version === '1.0' ? { upn, unique_name: upn } : { preferred_username: upn, email: upn };
  return { ...names, name: displayName, oid: objectId, sub };
}

function sign(
  emulator: Emulator,
  claims: JWTPayload,
  { issuer, audience, lifetime }: { issuer: string; audience: string; lifetime: number },
): Promise<string> {
  const now = emulator.clock.seconds();
  const { privateKey, jwk } = emulator.keys.entra;
  return new SignJWT({ ...claims, tid: demoTenant.tenantId, uti: randomUUID() })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: jwk.kid, x5t: jwk.x5t })
    .setIssuer(issuer)
    .setAudience(audience)
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(now + lifetime)
    .sign(privateKey);
}

/**
 * Returns the token's claims, or why it is rejected. Ignores `nbf`, so that tokens stay valid when the clock is set back
 * (as a reset does).
 */
export async function readAccessToken(
  emulator: Emulator,
  token: string,
  accepted: readonly string[] = audiences,
): Promise<BearerClaims | 'expired' | 'invalid'> {
  try {
    const { payload } = await compactVerify(token, emulator.keys.entra.publicKey);
    const claims = JSON.parse(new TextDecoder().decode(payload)) as BearerClaims;
    if (!accepted.includes(claims.aud)) return 'invalid';
    return claims.exp <= emulator.clock.seconds() ? 'expired' : claims;
  } catch {
    return 'invalid';
  }
}
