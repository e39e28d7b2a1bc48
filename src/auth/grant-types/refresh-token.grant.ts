import { Injectable } from '@nestjs/common';
import { RefreshTokenGrant } from '../dto/token-request.dto.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import { ClaimsRefreshService } from '../oidc/claims-refresh.service.js';
import { SessionRefreshService } from '../sessions/session-refresh.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class RefreshTokenGrantHandler implements Grant<RefreshTokenGrant> {
  static readonly grantType = 'refresh_token';
  static readonly body = RefreshTokenGrant;
  static readonly status = 200;

  constructor(
    private readonly sessions: SessionRefreshService,
    private readonly claimsRefresh: ClaimsRefreshService,
  ) {}

  async handle({ refresh_token }: RefreshTokenGrant): Promise<IssuedSession> {
    const session = await this.sessions.refresh(refresh_token);
    await this.claimsRefresh.run(session);
    return session;
  }
}
