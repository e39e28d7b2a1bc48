export type PlatformRole = 'admin' | 'member';

/** Who is calling, as the database knew them when the request came in. */
export interface Principal {
  id: string;
  email: string;
  role: PlatformRole;
  sessionId: string;
}

declare global {
  // Passport puts the principal where Express types its user.
  // oxlint-disable-next-line typescript/no-namespace
  namespace Express {
    interface User extends Principal {}
  }
}
