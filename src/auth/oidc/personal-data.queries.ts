// SQL, because an export reads each of these by a cursor.
import { eraseRows, type PersonalData, rowsById } from '../../core/database/personal-data.js';
import { UserIdentity } from './user-identity.entity.js';

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
