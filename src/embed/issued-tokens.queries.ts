// SQL, because these are parts of the statements of other modules, and a set update.
import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import { hourOf } from '../core/database/local-days.js';
import type { Revoked } from './embed-revocation.entity.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

export interface ActiveTokens {
  count: number;
  lastExpiresAt: Date | null;
}

/** SQL expressions of a user, an array of token ids, and the earliest time of issue. */
interface HeldTokens {
  user: string;
  tokens: string;
  since: string;
}

/** SQL query: the user's own tokens among these. If the user received a token twice, the first time counts. */
export const tokensIssuedTo = ({ user, tokens, since }: HeldTokens): string =>
  `SELECT DISTINCT ON (token_id) id, token_id, report_id, workspace_id, issued_at, expires_at FROM issued_tokens
   WHERE user_id = ${user} AND token_id = ANY(${tokens}) AND issued_at > ${since} ORDER BY token_id, issued_at, id`;

/** SQL query: how often each user received a token for each report, of the tokens issued in this time. */
export const issuedByReport = (from: string, to: string): string =>
  `SELECT report_id, workspace_id, user_id, sum(times_issued) AS times_issued, max(last_issued_at) AS last_issued_at
   FROM issued_tokens WHERE issued_at >= ${from} AND issued_at < ${to} GROUP BY report_id, workspace_id, user_id`;

/** SQL query: the same by hour of a time zone. */
export const issuedByHour = (from: string, to: string, zone: string): string =>
  `SELECT ${hourOf('issued_at', zone)} AS start, report_id, workspace_id, user_id, times_issued
   FROM issued_tokens WHERE issued_at >= ${from} AND issued_at < ${to}`;

/** SQL query: the tokens that users of an array of ids received in this time, and how often. */
export const issuedToUsers = (users: string, from: string, to: string): string =>
  `SELECT report_id, workspace_id, user_id, times_issued FROM issued_tokens
   WHERE user_id = ANY(${users}) AND issued_at >= ${from} AND issued_at < ${to}`;

/** Ids of the reports of the user's last 500 tokens, last opened first, at most 200. */
export async function listOpenedReports(manager: EntityManager, userId: string): Promise<string[]> {
  const { rows } = await execute<{ report_id: string }>(
    manager,
    `SELECT report_id FROM (
       SELECT report_id, last_issued_at FROM issued_tokens WHERE user_id = $1 ORDER BY issued_at DESC, id DESC LIMIT 500
     ) AS last GROUP BY report_id ORDER BY max(last_issued_at) DESC, report_id LIMIT 200`,
    [userId],
  );
  return rows.map(({ report_id: id }) => id);
}

/** Counts active tokens that the revocation matches. They cannot be revoked and remain valid until they expire. */
export async function countActiveTokens(
  tx: EntityManager,
  { userId, reportId, workspaceId }: Revoked,
  now: Date,
): Promise<ActiveTokens> {
  const query = tx
    .createQueryBuilder(IssuedEmbedToken, 'embedGrant')
    .select('count(*)::int', 'count')
    .addSelect('max(embedGrant.expiresAt)', 'lastExpiresAt')
    .where('embedGrant.expiresAt > :now', { now });
  if (userId !== null) query.andWhere('embedGrant.userId = :userId', { userId });
  if (reportId !== null) query.andWhere('embedGrant.reportId = :reportId', { reportId });
  if (workspaceId !== null) query.andWhere('embedGrant.workspaceId = :workspaceId', { workspaceId });
  return (await query.getRawOne<ActiveTokens>()) ?? { count: 0, lastExpiresAt: null };
}
