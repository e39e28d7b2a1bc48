// SQL, because it searches the stored responses.
import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import type { ErasedPerson, PersonalData } from '../../core/database/personal-data.js';

/** The stored responses to a person's requests, and those to requests of others that name the person. */
const deleteKeys = (tx: EntityManager, { id, email }: ErasedPerson): Promise<unknown> =>
  execute(
    tx,
    `DELETE FROM idempotency_keys
     WHERE user_id = $1 OR position($1::text IN body::text) > 0 OR position($2 IN lower(body::text)) > 0`,
    [id, JSON.stringify(email).slice(1, -1)],
  );

export const personalData: PersonalData[] = [
  {
    table: 'idempotency_keys',
    columns: ['user_id', 'body'],
    holds: 'responses to requests with an Idempotency-Key, for a day',
    export: { omits: 'copies of data in other sections, for a day' },
    erasure: { does: 'delete', run: deleteKeys },
  },
];
