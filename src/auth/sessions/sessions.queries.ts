// SQL, because these statements are a measured part of each sign-in and of each request with a new principal.
import { type EntityManager, IsNull } from 'typeorm';
import { eraseRows, type PersonalData, reasons, rowsById } from '../../core/database/personal-data.js';
import type { PlatformRole, Scope } from '../../core/http/principal.js';
import { execute } from '../../core/database/execute.js';
import { hasOpenInvitation } from '../../invitations/invitations.queries.js';
import { LoginCode, Session } from './session.entity.js';

/** Why a session ended. */
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

const MAX_SESSIONS = 50;

/** A code that has not been exchanged could open a session after all sessions have ended. */
export const voidLoginCodes = (tx: EntityManager, userId: string): Promise<unknown> =>
  tx.delete(LoginCode, { userId, usedAt: IsNull() });

/**
 * Makes room for one more session by ending the least recently used ones, of token exchanges first: a backend that opens one
 * for each request must not sign the user out of the portal. Returns whether any ended.
 */
export async function evictOldest(
  tx: EntityManager,
  userId: string,
  { now, idle }: { now: Date; idle: Date },
): Promise<boolean> {
  const { rowCount } = await execute(
    tx,
    `UPDATE sessions SET ended_at = $2, end_reason = 'evicted' WHERE id IN (
       SELECT id FROM sessions WHERE user_id = $1 AND ended_at IS NULL
       ORDER BY method <> 'exchange' AND last_used_at > $4 DESC, last_used_at DESC, id DESC OFFSET $3)`,
    [userId, now, MAX_SESSIONS - 1, idle],
  );
  return rowCount !== 0;
}

export async function insertSession(
  tx: EntityManager,
  session: Omit<Session, 'endedAt' | 'endReason'>,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO sessions (id, user_id, method, salt, counter, ip, user_agent, created_at, rotated_at, last_used_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      session.id,
      session.userId,
      session.method,
      session.salt,
      session.counter,
      session.ip,
      session.userAgent,
      session.createdAt,
      session.rotatedAt,
      session.lastUsedAt,
      session.expiresAt,
    ],
  );
}

interface SessionRow {
  email: string;
  role: PlatformRole;
  scopes: Scope[];
  is_service: boolean;
  expires_at: Date;
  is_invited: boolean;
}

const openSession = `
SELECT u.email, u.role, u.scopes, u.kind = 'service' AS is_service, s.expires_at, ${hasOpenInvitation('u.id', '$3')} AS is_invited
FROM sessions s JOIN users u ON u.id = s.user_id
WHERE s.id = $1 AND s.user_id = $2 AND s.ended_at IS NULL AND u.status = 'active'`;

/** A session that has not ended, with its user; undefined when the user is not active. */
export async function findOpenSession(
  manager: EntityManager,
  id: string,
  userId: string,
  now: Date,
): Promise<SessionRow | undefined> {
  const { rows } = await execute<SessionRow>(manager, openSession, [id, userId, now]);
  return rows[0];
}

export const personalData: PersonalData[] = [
  {
    table: 'login_codes',
    columns: ['user_id'],
    holds: 'who signs in by a one-time code',
    export: { omits: reasons.secret },
    erasure: { does: 'delete', run: eraseRows(LoginCode, 'userId') },
  },
  {
    table: 'sessions',
    columns: ['user_id', 'ip', 'user_agent'],
    holds: 'who signed in, from which address and with which browser',
    export: {
      section: 'sessions',
      rows: rowsById(
        `SELECT id, method, ip, user_agent, created_at, last_used_at, expires_at, ended_at, end_reason
         FROM sessions WHERE user_id = $1`,
      ),
    },
    erasure: { does: 'delete', run: eraseRows(Session, 'userId') },
  },
];
