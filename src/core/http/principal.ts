export type PlatformRole = 'admin' | 'member';

/** The authenticated caller, as stored in the database when the request arrived. */
export interface Principal {
  id: string;
  email: string;
  role: PlatformRole;
  sessionId: string;
}

declare global {
  // Passport stores the principal in the type that Express declares as its user.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface User extends Principal {}
  }
}
