import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Problem } from '../core/problems/problem.js';
import { Config } from '../core/config/config.js';
import { attemptCookie, cookieOf } from './cookies.js';
import { isState, AuthorizationRequestsService } from './authorization-requests.service.js';

interface RequestState {
  returnTo: string;
  portalState?: string;
}

/** The portal that the service itself serves, which tells people in its own way why a sign-in failed. */
@Injectable()
export class FirstPartyPortalService {
  private readonly page: string | undefined;

  constructor(
    { http }: Config,
    private readonly attempts: AuthorizationRequestsService,
  ) {
    this.page = http.portalEnabled ? `${http.publicUrl}/signed-in` : undefined;
  }

  /** Its page with this failure (as RFC 6749, 4.1.2.1); undefined for a sign-in that it did not begin. */
  addressFor({ code, detail }: Problem, request: Request): string | undefined {
    const begun = this.requestedBy(request);
    if (this.page === undefined || begun?.returnTo !== this.page) return undefined;
    const query = new URLSearchParams({ error: code, error_description: detail });
    if (begun.portalState !== undefined) query.set('state', begun.portalState);
    return `${this.page}?${query.toString()}`;
  }

  /** What the browser carries of an attempt, or asks for when it begins one. */
  private requestedBy(request: Request): RequestState | undefined {
    const { return_to: returnTo, state } = request.query;
    const portalState = typeof state === 'string' ? state : undefined;
    if (typeof returnTo === 'string') return { returnTo, portalState };
    if (portalState === undefined || !isState(portalState)) return undefined;
    const sealed = cookieOf(request, attemptCookie(portalState));
    return sealed === undefined ? undefined : this.attempts.open(sealed);
  }
}
