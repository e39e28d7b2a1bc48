import { Injectable } from '@nestjs/common';
import { RefreshTokenGrant } from '../dto/token-request.dto.js';
import { type OpenSession, SessionsService } from '../sessions.service.js';
import type { Grant } from './grant.js';

@Injectable()
export class RefreshTokenGrantHandler implements Grant<RefreshTokenGrant> {
  static readonly grantType = 'refresh_token';
  static readonly body = RefreshTokenGrant;
  static readonly status = 200;

  constructor(private readonly sessions: SessionsService) {}

  handle({ refresh_token }: RefreshTokenGrant): Promise<OpenSession> {
    return this.sessions.refresh(refresh_token);
  }
}
