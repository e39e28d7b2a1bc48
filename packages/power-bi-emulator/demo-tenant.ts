/** The tenant that the emulator knows. Plainly a demonstration: it opens nothing but the emulator. */
export const demoTenant = {
  tenantId: 'deadbeef-0000-4000-8000-000000000001',
  clientId: 'deadbeef-0000-4000-8000-000000000002',
  clientSecret: 'demo-client-secret-of-the-emulator',
};

/** The service principal's object id: what workspaces know it by (its client id opens none). */
export const demoPrincipalObjectId = 'deadbeef-0000-4000-8000-000000000003';

/** What `IDENTITY_HEADER` must be for the managed identity at `/msi/token`. */
export const demoIdentityHeader = 'demo-identity-header-of-the-emulator';
