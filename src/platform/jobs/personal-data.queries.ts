// SQL, because the table belongs to pg-boss.
import type { EntityManager } from 'typeorm';
import { execute } from '../../core/database/execute.js';
import type { ErasedPerson, PersonalData } from '../../core/database/personal-data.js';

/** Deletes the mails with a link for a new password to this address, also sent ones, which are stored for a while. */
export const deleteResetMails = (tx: EntityManager, email: string): Promise<unknown> =>
  execute(tx, `DELETE FROM pgboss.job WHERE name = 'password_reset_mail' AND lower(data->>'email') = $1`, [
    email,
  ]);

/** Those to a former address were deleted when it changed. */
async function deleteJobs(tx: EntityManager, { id, email }: ErasedPerson): Promise<void> {
  await deleteResetMails(tx, email);
  await execute(tx, `DELETE FROM pgboss.job WHERE name = 'email_changed_mail' AND data->>'user_id' = $1`, [
    id,
  ]);
}

/** Deletes the mails of these invitations, also sent ones, whose text is stored for a while. */
export const deleteInvitationMails = (
  tx: EntityManager,
  invitationIds: readonly string[],
): Promise<unknown> =>
  execute(tx, `DELETE FROM pgboss.job WHERE name = 'invitation_mail' AND data->>'invitation_id' = ANY($1)`, [
    invitationIds,
  ]);

export const personalData: PersonalData[] = [
  {
    table: 'pgboss.job',
    columns: ['data'],
    holds:
      'the address for which a new password was requested, a former address after its change, and the message of an invitation, until a week after the mail',
    export: { omits: 'the request is in the section password_resets, the address in the section account' },
    erasure: { does: 'delete', run: deleteJobs },
  },
];
