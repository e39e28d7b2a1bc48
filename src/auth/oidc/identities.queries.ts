// SQL, because an export reads the rows of a person by a cursor.
import type { EntityManager } from 'typeorm';
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { UserIdentity } from './user-identity.entity.js';

/** Locks the identities of a user, as a sign-in does. Take it before the user's row. */
export const lockIdentitiesOf = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.find(UserIdentity, {
    where: { userId },
    select: { id: true },
    order: { id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });

export const personalData: PersonalData[] = [
  {
    table: 'user_identities',
    columns: ['user_id', 'sub', 'oid', 'email', 'provided_attributes'],
    holds: 'identities at the identity provider and the attributes that it provided',
    export: {
      section: 'identities',
      rows: rowsById(
        `SELECT id, iss, sub, tid, oid, email, provided_role, provided_attributes, created_at, last_sign_in_at, evaluated_at
         FROM user_identities WHERE user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(UserIdentity, 'userId') },
  },
];
