import type { EntityManager } from 'typeorm';
import type { ErasedPerson, PersonalData } from '../../core/database/personal-data.js';
import { IdempotencyKey } from './idempotency-key.entity.js';

/** The stored responses to a person's requests, and those to requests of others that name the person. */
const deleteKeys = (tx: EntityManager, { id, email }: ErasedPerson): Promise<unknown> =>
  tx
    .createQueryBuilder()
    .delete()
    .from(IdempotencyKey)
    .where('user_id = :id OR position(:id::text IN body::text) > 0', { id })
    .orWhere('position(:email IN lower(body::text)) > 0', { email: JSON.stringify(email).slice(1, -1) })
    .execute();

export const personalData: PersonalData[] = [
  {
    table: 'idempotency_keys',
    columns: ['user_id', 'body'],
    holds: 'responses to requests with an Idempotency-Key, for a day',
    export: { omits: 'copies of data in other sections, for a day' },
    erasure: { does: 'delete', run: deleteKeys },
  },
];
