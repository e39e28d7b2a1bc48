import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';

/** Locks the identities of a user, as a sign-in does. Take it before the user's row. */
export const lockIdentitiesOf = (tx: EntityManager, userId: string): Promise<unknown> =>
  execute(tx, 'SELECT FROM user_identities WHERE user_id = $1 ORDER BY id FOR UPDATE', [userId]);
