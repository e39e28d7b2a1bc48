import type { Request } from 'express';
import { demoTenant } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';

/**
 * The address under which the client sees the emulator: its own `Host`, which the host check has accepted. Behind a
 * proxy that ends TLS, the scheme is that of the public URL.
 */
export function originOf(emulator: Emulator, request: Request): string {
  const host = request.headers.host ?? '';
  const known = new URL(emulator.url);
  return host === known.host ? known.origin : `${request.protocol}://${host}`;
}

/** Issuer of id tokens. Entra's v1 issuer does not depend on the authority. */
export function issuerOf(emulator: Emulator, request: Request, version: '1.0' | '2.0'): string {
  if (version === '1.0') return `https://sts.windows.net/${demoTenant.tenantId}/`;
  return `${originOf(emulator, request)}/${demoTenant.tenantId}/v2.0`;
}
