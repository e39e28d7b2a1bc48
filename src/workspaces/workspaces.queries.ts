import type { ObjectLiteral, SelectQueryBuilder } from 'typeorm';
import type { Principal } from '../common/principal.js';

/**
 * Leaves only rows whose workspace the caller may see now: an admin any, everybody else those with a grant that has
 * not run out. `column` is the property that holds the workspace id.
 */
export function onlyVisible<T extends ObjectLiteral>(
  query: SelectQueryBuilder<T>,
  column: string,
  caller: Principal,
  now: Date,
): SelectQueryBuilder<T> {
  if (caller.role === 'admin') return query;
  return query.andWhere(
    `${column} IN (SELECT workspace_id FROM memberships
      WHERE user_id = :callerId AND (expires_at IS NULL OR expires_at > :now))`,
    { callerId: caller.id, now },
  );
}
