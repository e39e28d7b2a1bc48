/** The emulator's tenant. These credentials are for demonstration and valid only in the emulator. */
export const demoTenant = {
  tenantId: 'deadbeef-0000-4000-8000-000000000001',
  clientId: 'deadbeef-0000-4000-8000-000000000002',
  clientSecret: 'demo-client-secret-of-the-emulator',
};

/** Password of every user of the tenant. */
export const demoPassword = 'demo-password-of-the-emulator';

/** The service principal's object id, which identifies it in workspaces (its client id does not). */
export const demoPrincipalObjectId = 'deadbeef-0000-4000-8000-000000000003';

/** Required value of `IDENTITY_HEADER` for the managed identity at `/msi/token`. */
export const demoIdentityHeader = 'demo-identity-header-of-the-emulator';
