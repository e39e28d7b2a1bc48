import type { EntityManager } from 'typeorm';
import { execute } from '../core/database/execute.js';
import type { IssuedEmbedToken } from './issued-token.entity.js';

export async function insertGrant(
  tx: EntityManager,
  grant: Omit<IssuedEmbedToken, 'handedOut'>,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO embed_grants (id, token_id, user_id, report_id, workspace_id, access, identity, issued_at, expires_at,
       last_handed_out_at, ip, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      grant.id,
      grant.tokenId,
      grant.userId,
      grant.reportId,
      grant.workspaceId,
      grant.access,
      grant.identity,
      grant.issuedAt,
      grant.expiresAt,
      grant.lastHandedOutAt,
      grant.ip,
      grant.requestId,
    ],
  );
}
