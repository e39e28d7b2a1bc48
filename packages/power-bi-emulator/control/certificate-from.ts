import { X509Certificate } from 'node:crypto';
import { Refusal } from '../core/refusal.js';
import { demoTenant } from '../demo-tenant.js';

export interface Certificate {
  client_id: string;
  /** PEM. */
  certificate: string;
}

/** A certificate for a service principal to sign its assertions with; the demo one's unless told otherwise. */
export function certificateFrom(value: unknown): Certificate {
  const { client_id = demoTenant.clientId, certificate } = (value ?? {}) as Partial<Certificate>;
  try {
    return { client_id, certificate: new X509Certificate(certificate!).toString() };
  } catch {
    throw new Refusal('certificate must be a PEM certificate');
  }
}
