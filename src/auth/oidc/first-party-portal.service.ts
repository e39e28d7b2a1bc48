import { Injectable } from '@nestjs/common';
import { getRequestCookie } from '@nestjs/core/helpers/cookies/request-cookies.js';
import type { Request } from 'express';
import type { Problem } from '../../core/problems/problem.js';
import { Config } from '../../core/config/config.js';
import { attemptCookie } from './cookies.js';
import { isState, AuthorizationRequestsService } from './authorization-requests.service.js';

interface RequestState {
  returnTo: string;
  portalState?: string;
}

/** The portal that this service serves; it displays sign-in errors on its own page. */
@Injectable()
export class FirstPartyPortalService {
  private readonly page: string | undefined;

  constructor(
    { http }: Config,
    private readonly attempts: AuthorizationRequestsService,
  ) {
    this.page = http.portalEnabled ? `${http.publicUrl}/signed-in` : undefined;
  }

  /** URL of the portal page with this error (RFC 6749, 4.1.2.1); undefined when the portal did not start the sign-in. */
  addressFor({ code, detail }: Problem, request: Request): string | undefined {
    const begun = this.requestedBy(request);
    if (this.page === undefined || begun?.returnTo !== this.page) return undefined;
    const query = new URLSearchParams({ error: code, error_description: detail });
    if (begun.portalState !== undefined) query.set('state', begun.portalState);
    return `${this.page}?${query.toString()}`;
  }

  /** Return URL and state from the query when the sign-in starts, or else from its sealed cookie. */
  private requestedBy(request: Request): RequestState | undefined {
    const { return_to: returnTo, state } = request.query;
    const portalState = typeof state === 'string' ? state : undefined;
    if (typeof returnTo === 'string') return { returnTo, portalState };
    if (portalState === undefined || !isState(portalState)) return undefined;
    const sealed = getRequestCookie(request, attemptCookie(portalState));
    return sealed === undefined ? undefined : this.attempts.open(sealed);
  }
}
