import { Injectable } from '@nestjs/common';
import { RefreshTokenGrant } from '../dto/token-request.dto.js';
import type { OpenSession } from '../../sessions/issued-session.js';
import { Reevaluation } from '../../oidc/claims-refresh.service.js';
import { SessionRefresh } from '../../sessions/session-refresh.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class RefreshTokenGrantHandler implements Grant<RefreshTokenGrant> {
  static readonly grantType = 'refresh_token';
  static readonly body = RefreshTokenGrant;
  static readonly status = 200;

  constructor(
    private readonly sessions: SessionRefresh,
    private readonly reevaluation: Reevaluation,
  ) {}

  async handle({ refresh_token }: RefreshTokenGrant): Promise<OpenSession> {
    const session = await this.sessions.refresh(refresh_token);
    await this.reevaluation.run(session);
    return session;
  }
}
