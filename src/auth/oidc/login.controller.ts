import { Controller, Cookies, Get, Query, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import type { Request, Response } from 'express';
import { Public } from '../../core/http/access.js';
import { ApiRateLimitsService } from '../../platform/rate-limit/api-rate-limits.service.js';
import { SignInInterrupted } from './provider.errors.js';
import { attemptCookie, cookieOptions, INVITATION_COOKIE, isState } from './cookies.js';
import { LoginQuery } from './dto/login-query.dto.js';
import { LoginPageFilter } from './login-page.filter.js';
import { LoginService } from './login.service.js';
import { SEALED_SECONDS, SealedCookiesService } from './sealed-cookies.service.js';

@Controller('login')
@Public()
@UseFilters(LoginPageFilter)
@ApiExcludeController()
export class LoginController {
  constructor(
    private readonly login: LoginService,
    private readonly sealed: SealedCookiesService,
    private readonly rateLimits: ApiRateLimitsService,
  ) {}

  /** Redirects the browser to the identity provider. */
  @Get()
  async begin(
    @Query() query: LoginQuery,
    @Cookies(INVITATION_COOKIE) sealedInvitation: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    const invitation = this.sealed.open('portal-invitation', sealedInvitation)?.secret;
    const { url, state, sealed } = await this.login.begin(query, invitation);
    response
      .set('Cache-Control', 'no-store')
      .clearCookie(INVITATION_COOKIE, cookieOptions('strict'))
      .cookie(attemptCookie(state), sealed, cookieOptions('lax', SEALED_SECONDS))
      .redirect(url.href);
  }

  /** Handles the redirect from the provider and redirects to the portal with a one-time code. */
  @Get('callback')
  async finish(
    @Req() request: Request,
    @Cookies() cookies: Record<string, string>,
    @Res() response: Response,
  ): Promise<void> {
    // Not in a middleware, as for other paths: the refusal is a page.
    await this.rateLimits.consumeAddress(request, response);
    const { search, searchParams } = new URL(request.originalUrl, 'http://localhost');
    const state = searchParams.get('state') ?? '';
    if (!isState(state)) throw new SignInInterrupted();
    const cookie = attemptCookie(state);
    response.set('Cache-Control', 'no-store').clearCookie(cookie, cookieOptions('lax'));
    const url = await this.login.finish(search, cookies[cookie]);
    response.redirect(url.href);
  }
}
