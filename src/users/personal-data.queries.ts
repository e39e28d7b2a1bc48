// SQL, because an export reads each of these by a cursor.
import {
  eraseRows,
  type ErasedPerson,
  type PersonalData,
  reasons,
  recordedOnly,
  rowsById,
} from '../core/database/personal-data.js';
import type { EntityManager } from 'typeorm';
import { PasswordReset, User } from './user.entity.js';

/** The row stays without personal data, because other tables refer to it. */
const eraseUser = (tx: EntityManager, { id, placeholder, at }: ErasedPerson): Promise<unknown> =>
  tx.update(
    User,
    { id },
    {
      email: placeholder,
      name: 'Erased person',
      passwordHash: null,
      attributes: {},
      userName: null,
      externalId: null,
      givenName: null,
      familyName: null,
      locale: null,
      timeZone: null,
      lastSignInAt: null,
      removedAt: at,
    },
  );

export const personalData: PersonalData[] = [
  {
    table: 'users',
    columns: [
      'email',
      'name',
      'user_name',
      'external_id',
      'given_name',
      'family_name',
      'attributes',
      'locale',
      'time_zone',
      'last_sign_in_at',
    ],
    holds: 'the account: address, name, attributes, preferences and last sign-in',
    export: {
      section: 'account',
      rows: rowsById(
        `SELECT id, email, name, user_name, external_id, given_name, family_name, role, status, source, attributes,
           locale, time_zone, created_at, last_sign_in_at
         FROM users WHERE id = $1`,
      ),
    },
    erasure: { does: 'anonymize', run: eraseUser },
  },
  {
    table: 'users',
    columns: ['password_hash'],
    holds: 'the hash of the password',
    export: { omits: reasons.secret },
    erasure: { does: 'anonymize' },
  },
  recordedOnly('users', ['created_by'], 'the admin who created a service account'),
  {
    table: 'password_resets',
    columns: ['user_id'],
    holds: 'when a new password was requested',
    export: {
      section: 'password_resets',
      rows: rowsById('SELECT requested_at, expires_at, used_at FROM password_resets WHERE user_id = $1'),
    },
    erasure: { does: 'delete', run: eraseRows(PasswordReset, 'userId') },
  },
];
