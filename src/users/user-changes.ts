import type { User } from './user.entity.js';

export type NewUser = Pick<User, 'email' | 'name' | 'role' | 'passwordHash'> &
  Partial<
    Pick<User, 'status' | 'attributes' | 'source' | 'userName' | 'externalId' | 'givenName' | 'familyName'>
  >;
/** Omitted properties stay unchanged. */
export type UserChanges = Partial<
  Pick<
    User,
    | 'name'
    | 'email'
    | 'role'
    | 'status'
    | 'scopes'
    | 'attributes'
    | 'locale'
    | 'timeZone'
    | 'source'
    | 'userName'
    | 'externalId'
    | 'givenName'
    | 'familyName'
    | 'scimDeletedAt'
  >
>;
