import type { EntityManager } from 'typeorm';
import { prepared } from '../common/prepared.js';

/** Why a session is over. */
export type EndReason =
  | 'signed_out'
  | 'ended_by_user'
  | 'ended_by_admin'
  | 'refresh_token_reused'
  | 'evicted'
  | 'user_disabled'
  | 'user_erased'
  | 'secret_revoked'
  | 'service_account_deleted'
  | 'login_code_reused'
  | 'identity_unlinked'
  | 'provider_refused'
  | 'password_changed'
  | 'password_reset';

export const MAX_SESSIONS = 50;

/** Locks the person's row and answers whether the person is active: two changes to one person's sessions never cross. */
export async function lockActiveUser(tx: EntityManager, userId: string): Promise<boolean> {
  const { rowCount } = await prepared(
    tx,
    `SELECT FROM users WHERE id = $1 AND status = 'active' FOR UPDATE`,
    [userId],
  );
  return rowCount === 1;
}

/** A code that was not exchanged yet would open a session after all sessions have ended. */
export const voidLoginCodes = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.query('DELETE FROM login_codes WHERE user_id = $1 AND used_at IS NULL', [userId]);

/** Makes room for one more: the sessions that were not used for longest go. Answers whether any had to. */
export async function evictOldest(tx: EntityManager, userId: string, now: Date): Promise<boolean> {
  const { rowCount } = await prepared(
    tx,
    `UPDATE sessions SET ended_at = $2, end_reason = 'evicted' WHERE id IN (
       SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL
       ORDER BY last_used_at DESC, id DESC OFFSET $3)`,
    [userId, now, MAX_SESSIONS - 1],
  );
  return rowCount !== 0;
}

/** Removes sessions that were over long ago, a bounded number at a time; replicas that clean together share the work. */
export async function removeOver(tx: EntityManager, before: Date, atMost: number): Promise<number> {
  const rows = await tx.query<unknown[]>(
    `WITH over AS (
       SELECT id FROM sessions WHERE ended_at < $1 OR expires_at < $1 LIMIT $2 FOR UPDATE SKIP LOCKED)
     DELETE FROM sessions USING over WHERE sessions.id = over.id RETURNING sessions.id`,
    [before, atMost],
  );
  return (rows[0] as unknown[]).length;
}
