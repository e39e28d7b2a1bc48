import { createHash, X509Certificate } from 'node:crypto';
import { decodeProtectedHeader, importX509, jwtVerify, type ProtectedHeaderParameters } from 'jose';
import type { ServicePrincipal } from '../content/model.js';
import { demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { EntraError } from './entra-error.js';
import { isShared } from './tenants.js';

/** Clock skew allowed for clients, in seconds. */
const clockSkew = 300;

/** Verifies possession of a registered certificate's key, in place of a secret. Throws EntraError. */
export async function checkAssertion(
  emulator: Emulator,
  principal: ServicePrincipal,
  assertion: string,
): Promise<void> {
  try {
    const header = decodeProtectedHeader(assertion);
    const certificate = certificateFor(emulator, principal, header);
    const key = await importX509(certificate.toString(), header.alg ?? '');
    const { payload } = await jwtVerify(assertion, key, {
      issuer: principal.clientId,
      subject: principal.clientId,
      algorithms: ['PS256', 'RS256'],
      requiredClaims: ['exp', 'jti', 'aud'],
      currentDate: emulator.clock.now(),
      clockTolerance: clockSkew,
    });
    checkAudience(payload.aud);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EntraError(
      'invalid_client',
      700027,
      `Client assertion failed signature validation: ${reason}.`,
    );
  }
}

function certificateFor(
  emulator: Emulator,
  principal: ServicePrincipal,
  header: ProtectedHeaderParameters,
): X509Certificate {
  const thumbprints = { sha256: header['x5t#S256'], sha1: header.x5t };
  const sha1 = emulator.guess('sha1_thumbprint') === 'accepted';
  const found = principal.certificates
    .map((pem) => new X509Certificate(pem))
    .find(
      (each) =>
        thumbprint(each, 'sha256') === thumbprints.sha256 ||
        (sha1 && thumbprint(each, 'sha1') === thumbprints.sha1),
    );
  if (!found) throw new Error('The key was not found by its thumbprint');
  if (found.validToDate <= emulator.clock.now()) throw new Error('The certificate is expired');
  return found;
}

function thumbprint({ raw }: X509Certificate, algorithm: 'sha1' | 'sha256'): string {
  return createHash(algorithm).update(raw).digest('base64url');
}

/** Accepts the token endpoint under any host name. */
function checkAudience(audience: unknown): void {
  const path = URL.canParse(String(audience)) ? new URL(String(audience)).pathname : '';
  const [, tenant = ''] = path.split('/');
  if (tenant.toLowerCase() === demoTenant.tenantId || isShared(tenant)) return;
  throw new Error('The audience is not the token endpoint');
}
