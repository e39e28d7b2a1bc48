import { Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { emit } from '../core/telemetry/telemetry-events.js';
import { Problem } from '../core/problems/problem.js';
import { AccountAcceptanceService } from '../invitations/account-acceptance.service.js';
import { AccessTokensService } from './access-tokens.service.js';
import { TokenResponseDto } from './dto/token-response.dto.js';
import type { GrantType } from './grant-types/grant.js';
import { ACCESS_TOKEN_SECONDS, type IssuedSession } from './sessions/issued-session.js';

export interface TokenRequest {
  type: GrantType;
  body: object;
}

@Injectable()
export class TokenService {
  constructor(
    private readonly grants: ModuleRef,
    private readonly accessTokens: AccessTokensService,
    private readonly invitations: AccountAcceptanceService,
  ) {}

  /** Returns tokens, or null when the grant type issues none. Throws the errors of the grant type's handler. */
  async issue({ type, body }: TokenRequest): Promise<TokenResponseDto | null> {
    const grant = type.grantType ?? 'password';
    try {
      const session = await this.grants.get(type).handle(body);
      // Service accounts have no refresh token, and no invitations.
      if (session?.refreshToken !== undefined) await this.invitations.attempt(session.userId);
      const tokens = session === null ? null : await this.toResponse(session);
      emit('token_requested', { grant, outcome: 'issued' });
      return tokens;
    } catch (error) {
      const outcome = error instanceof Problem ? error.code : 'internal_error';
      emit('token_requested', { grant, outcome });
      throw error;
    }
  }

  private async toResponse(session: IssuedSession): Promise<TokenResponseDto> {
    return {
      access_token: await this.accessTokens.issue(session.userId, session.id),
      expires_in: ACCESS_TOKEN_SECONDS,
      token_type: 'Bearer',
      refresh_token: session.refreshToken,
      refresh_expires_in: session.refreshExpiresIn,
    };
  }
}
