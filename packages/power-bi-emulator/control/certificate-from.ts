import { X509Certificate } from 'node:crypto';
import { Refusal } from '../core/refusal.js';
import { demoTenant } from '../demo-tenant.js';

export interface Certificate {
  client_id: string;
  /** PEM. */
  certificate: string;
}

/** Reads a service principal's certificate for client assertions; by default the demo principal's. Throws Refusal. */
export function certificateFrom(value: unknown): Certificate {
  const { client_id = demoTenant.clientId, certificate } = (value ?? {}) as Partial<Certificate>;
  try {
    return { client_id, certificate: new X509Certificate(certificate!).toString() };
  } catch {
    throw new Refusal('certificate must be a PEM certificate');
  }
}
