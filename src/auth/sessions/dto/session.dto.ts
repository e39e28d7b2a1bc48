import { OmitType } from '#openapi';
import { ListQuery } from '../../../core/lists/list-query.dto.js';
import { SortedBy, type SortKeys } from '../../../core/lists/pagination.js';
import type { Session, SessionMethod } from '../session.entity.js';

export class SessionDto {
  id!: string;
  /** Whether this is the session of the request. */
  current!: boolean;
  created_at!: Date;
  last_used_at!: Date;
  /** Absolute expiry, which use does not extend. */
  expires_at!: Date;
  ip!: string;
  user_agent!: string;
  /** How the session was opened. */
  method!: SessionMethod;

  static from(session: Session, currentId: string): SessionDto {
    return {
      id: session.id,
      current: session.id === currentId,
      created_at: session.createdAt,
      last_used_at: session.lastUsedAt,
      expires_at: session.expiresAt,
      ip: session.ip,
      user_agent: session.userAgent,
      method: session.method,
    };
  }
}

export class SessionListDto {
  sessions!: SessionDto[];
}

export const sessionSortKeys: SortKeys<Session> = {
  last_used_at: { sql: 'session.lastUsedAt', of: ({ lastUsedAt }) => lastUsedAt.toISOString() },
};

export class ListSessionsQuery extends OmitType(ListQuery, ['q']) {
  @SortedBy(sessionSortKeys)
  sort: string = '-last_used_at';
}
