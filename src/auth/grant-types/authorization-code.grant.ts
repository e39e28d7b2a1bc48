import { Injectable } from '@nestjs/common';
import { AuthorizationCodeGrant } from '../dto/provider-grants.dto.js';
import { LoginCodes } from '../../oidc/login-codes.service.js';
import type { OpenSession } from '../../sessions/issued-session.js';
import type { Grant } from './grant.js';

@Injectable()
export class AuthorizationCodeGrantHandler implements Grant<AuthorizationCodeGrant> {
  static readonly grantType = 'authorization_code';
  static readonly body = AuthorizationCodeGrant;
  static readonly status = 200;

  constructor(private readonly codes: LoginCodes) {}

  handle({ code, code_verifier }: AuthorizationCodeGrant): Promise<OpenSession> {
    return this.codes.exchange(code, code_verifier);
  }
}
