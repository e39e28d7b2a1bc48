import type { EntityManager } from 'typeorm';
import { UserIdentity } from './user-identity.entity.js';

/** Locks the identities of a user, as a sign-in does. Take it before the user's row. */
export const lockIdentitiesOf = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.find(UserIdentity, {
    where: { userId },
    select: { id: true },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });
