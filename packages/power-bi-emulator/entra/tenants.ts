import { demoTenant } from '../demo-tenant.js';
import { EntraError } from './entra-error.js';

/** Authorities for the users of any tenant. Here, all of them belong to the demo tenant. */
const shared = ['common', 'organizations'];
const domains = ['vitrine.example', 'vitrine.onmicrosoft.com'];

export function isShared(tenant: string): boolean {
  return shared.includes(tenant.toLowerCase());
}

/** Accepts the tenant's id and domains, `common` and `organizations`. Throws EntraError. */
export function checkTenant(tenant: string, error = 'invalid_request'): void {
  const name = tenant.toLowerCase();
  if (name === demoTenant.tenantId || domains.includes(name) || isShared(name)) return;
  throw new EntraError(
    error,
    90002,
    `Tenant '${tenant}' not found. Check to make sure you have the correct tenant ID and are signing into the ` +
      'correct cloud. Check with your subscription administrator, this may happen if there are no active ' +
      'subscriptions for the tenant.',
  );
}
