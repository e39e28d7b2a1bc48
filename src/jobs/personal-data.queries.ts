import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { ErasedPerson, PersonalData } from '../core/database/personal-data.js';

const deleteJobs = (tx: EntityManager, { email }: ErasedPerson): Promise<unknown> =>
  execute(tx, `DELETE FROM pgboss.job WHERE name = 'password_reset_mail' AND lower(data->>'email') = $1`, [
    email,
  ]);

export const personalData: PersonalData[] = [
  {
    table: 'pgboss.job',
    columns: ['data'],
    holds: 'the address for which a new password was requested, until a week after the mail',
    export: { omits: 'the request is in the section password_resets' },
    erasure: { does: 'delete', run: deleteJobs },
  },
];
