import { Injectable } from '@nestjs/common';
import { AuthorizationCodeGrant } from '../dto/token-request.dto.js';
import { LoginCodesService } from '../sessions/login-codes.service.js';
import type { IssuedSession } from '../sessions/issued-session.js';
import type { Grant } from './grant.js';

@Injectable()
export class AuthorizationCodeGrantHandler implements Grant<AuthorizationCodeGrant> {
  static readonly grantType = 'authorization_code';
  static readonly body = AuthorizationCodeGrant;
  static readonly status = 200;

  constructor(private readonly codes: LoginCodesService) {}

  handle({ code, code_verifier }: AuthorizationCodeGrant): Promise<IssuedSession> {
    return this.codes.exchange(code, code_verifier);
  }
}
