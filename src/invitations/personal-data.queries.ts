// SQL, because an export reads each of these by a cursor.
import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import {
  type ErasedPerson,
  type PersonalData,
  reasons,
  recordedOnly,
  rowsById,
} from '../core/database/personal-data.js';
import { deleteInvitationMails } from '../platform/jobs/personal-data.queries.js';
import { Invitation } from './invitation.entity.js';

/** Also revokes the open invitations, and deletes the mails. */
async function eraseInvitee(tx: EntityManager, { id, email, placeholder, at }: ErasedPerson): Promise<void> {
  const { rows } = await execute<{ id: string }>(
    tx,
    `UPDATE invitations SET email = $3, name = NULL, delivery_error = NULL,
       revoked_at = CASE WHEN accepted_at IS NULL THEN coalesce(revoked_at, $4) ELSE revoked_at END
     WHERE user_id = $1 OR email = $2 RETURNING id`,
    [id, email, placeholder, at],
  );
  const ids = rows.map((row) => row.id);
  await deleteInvitationMails(tx, ids);
}

const detachInvitations = (tx: EntityManager, { id }: ErasedPerson): Promise<unknown> =>
  tx.update(Invitation, { attachUserId: id }, { attachUserId: null });

export const personalData: PersonalData[] = [
  {
    table: 'invitations',
    columns: ['user_id', 'email', 'name', 'delivery_error'],
    holds:
      'who was invited; the error of a mail server can contain the address; deleted 90 days after expiry or revocation, unless accepted',
    export: {
      section: 'invitations_received',
      rows: ({ id, email }) => [
        `SELECT id, email, name, role, invited_by, delivery, delivery_error, created_at, expires_at, accepted_at, revoked_at,
           ARRAY(SELECT workspace_id FROM invitation_grants WHERE invitation_id = i.id) AS workspace_ids,
           ARRAY(SELECT report_id FROM invitation_report_grants WHERE invitation_id = i.id) AS report_ids,
           ARRAY(SELECT group_id FROM invitation_groups WHERE invitation_id = i.id) AS group_ids
         FROM invitations i WHERE user_id = $1 OR email = $2`,
        [id, email],
      ],
    },
    erasure: { does: 'anonymize', run: eraseInvitee },
  },
  {
    table: 'invitations',
    columns: ['attach_user_id'],
    holds: 'who asked for an invitation that was sent to another address',
    export: { omits: reasons.recordedInTrail },
    erasure: { does: 'delete', run: detachInvitations },
  },
  {
    table: 'invitations',
    columns: ['invited_by'],
    holds: 'who invited others',
    export: {
      section: 'invitations_sent',
      rows: rowsById(
        `SELECT id, role, created_at, expires_at, accepted_at, revoked_at FROM invitations WHERE invited_by = $1`,
      ),
    },
    erasure: { keeps: reasons.erasedUser },
  },
  ...['invitation_grants', 'invitation_groups', 'invitation_report_grants'].map((table) =>
    recordedOnly(table, ['granted_by'], 'who added access to an invitation'),
  ),
];
