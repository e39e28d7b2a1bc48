import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { DatabaseService } from '../../core/database/database.service.js';
import { InvalidRefreshToken } from '../sessions/sessions.errors.js';
import { RefreshTokenGrantHandler } from '../grant-types/grant-types.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { type TokenRequest, TokenService } from '../token.service.js';
import { cookieOptions, REFRESH_COOKIE } from '../oidc/cookies.js';
import type { PortalTokenDto } from './portal-session.dto.js';

/** Browser sessions of the portal: the refresh token is in an HttpOnly cookie, the access token in memory. */
@Injectable()
export class PortalSessionService {
  constructor(
    private readonly tokens: TokenService,
    private readonly sessions: SessionsService,
    private readonly database: DatabaseService,
  ) {}

  async open(request: TokenRequest, response: Response): Promise<PortalTokenDto> {
    const tokens = await this.tokens.issue(request);
    if (tokens === null) throw new InvalidRefreshToken();
    response.cookie(REFRESH_COOKIE, tokens.refresh_token, cookieOptions('strict', tokens.refresh_expires_in));
    const { access_token, expires_in, token_type } = tokens;
    return { access_token, expires_in, token_type };
  }

  /** Clears the cookie when its refresh token is invalid. 204 without one: browsers log every 401, also of a first visit. */
  async refresh(refreshToken: string | undefined, response: Response): Promise<PortalTokenDto | undefined> {
    if (refreshToken === undefined) {
      response.status(204);
      return undefined;
    }
    const body = { grant_type: 'refresh_token', refresh_token: refreshToken };
    try {
      return await this.open({ type: RefreshTokenGrantHandler, body }, response);
    } catch (error) {
      if (error instanceof InvalidRefreshToken) this.clearCookie(response);
      throw error;
    }
  }

  /** Keeps the cookie until the end is stored: without it the caller could not try again. An invalid token has no session. */
  async end(refreshToken: string | undefined, response: Response): Promise<void> {
    await this.database.transaction((tx) => this.sessions.endByToken(tx, refreshToken ?? ''));
    this.clearCookie(response);
  }

  private clearCookie(response: Response): void {
    response.clearCookie(REFRESH_COOKIE, cookieOptions('strict'));
  }
}
