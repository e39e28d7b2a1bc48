// SQL, because the table belongs to pg-boss.
import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import type { ErasedPerson, PersonalData } from '../../core/database/personal-data.js';

const deleteJobs = (tx: EntityManager, { id, email }: ErasedPerson): Promise<unknown> =>
  execute(
    tx,
    `DELETE FROM pgboss.job WHERE name = 'password_reset_mail' AND lower(data->>'email') = $1
       OR name = 'email_changed_mail' AND data->>'user_id' = $2`,
    [email, id],
  );

export const personalData: PersonalData[] = [
  {
    table: 'pgboss.job',
    columns: ['data'],
    holds:
      'the address for which a new password was requested, and a former address after its change, until a week after the mail',
    export: { omits: 'the request is in the section password_resets, the address in the section account' },
    erasure: { does: 'delete', run: deleteJobs },
  },
];
