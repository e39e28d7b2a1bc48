import { Body, Controller, Cookies, Header, HttpCode, Post, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import type { Response } from 'express';
import { Public } from '../../core/http/access.js';
import type { TokenRequest } from '../token.service.js';
import { cookieOptions, INVITATION_COOKIE, REFRESH_COOKIE } from '../oidc/cookies.js';
import { StoreInvitationDto, type PortalTokenDto } from './portal-session.dto.js';
import { SEALED_SECONDS, SealedCookiesService } from '../oidc/sealed-cookies.service.js';
import { PortalSessionService } from './portal-session.service.js';
import { PortalSignInPipe } from './portal-sign-in.pipe.js';
import { SameOriginGuard } from './same-origin.guard.js';

@Controller()
@Public()
@UseGuards(SameOriginGuard)
@ApiExcludeController()
export class PortalSessionController {
  constructor(
    private readonly sessions: PortalSessionService,
    private readonly sealed: SealedCookiesService,
  ) {}

  /** Opens a session by password, code or invitation and sets the refresh token as a cookie. */
  @Post('login/session')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  open(
    @Body(PortalSignInPipe) request: TokenRequest,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PortalTokenDto> {
    return this.sessions.open(request, response);
  }

  /** Renews the access token with the refresh token cookie and rotates the cookie. */
  @Post('login/refresh')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  refresh(
    @Cookies(REFRESH_COOKIE) refreshToken: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<PortalTokenDto | undefined> {
    return this.sessions.refresh(refreshToken, response);
  }

  /** Ends the session of the refresh token cookie. */
  @Post('logout')
  @HttpCode(204)
  end(
    @Cookies(REFRESH_COOKIE) refreshToken: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    return this.sessions.end(refreshToken, response);
  }

  /** Stores an invitation in a cookie; the next sign-in at the identity provider accepts it. */
  @Post('login/invitation')
  @HttpCode(204)
  storeInvitation(
    @Body() { invitation_token }: StoreInvitationDto,
    @Res({ passthrough: true }) response: Response,
  ): void {
    const sealed = this.sealed.seal('portal-invitation', { secret: invitation_token });
    response.cookie(INVITATION_COOKIE, sealed, cookieOptions('strict', SEALED_SECONDS));
  }
}
