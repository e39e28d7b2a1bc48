export type PlatformRole = 'admin' | 'member';

/** Rights that a service account has in addition to its role. */
export const scopes = ['scim'] as const;
export type Scope = (typeof scopes)[number];

/** The authenticated caller, as stored in the database when the request arrived. */
export interface Principal {
  id: string;
  email: string;
  role: PlatformRole;
  sessionId: string;
  /** Whether it is a service account. */
  isService?: boolean;
  /** Only of service accounts. */
  scopes?: readonly Scope[];
}

declare global {
  // Passport stores the principal in the type that Express declares as its user.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface User extends Principal {}
  }
}
