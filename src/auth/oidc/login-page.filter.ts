import { Catch } from '@nestjs/common';
import { getRequestCookie } from '@nestjs/core/helpers/cookies/request-cookies.js';
import type { Request, Response } from 'express';
import { DenialRecorder } from '../../core/problems/denial-recorder.js';
import { emit } from '../../core/telemetry/telemetry-events.js';
import { plainPage } from '../../core/http/plain-page.js';
import type { Problem } from '../../core/problems/problem.js';
import { ProblemFilter } from '../../core/problems/problem.filter.js';
import { requestId } from '../../core/http/request-context.js';
import { Config } from '../../core/config/config.js';
import { attemptCookie, isState } from './cookies.js';
import { type AuthorizationRequest, SealedCookiesService } from './sealed-cookies.service.js';

interface Content {
  title: string;
  detail: string;
  code: string;
  requestId: string;
  /** Absent when no portal is configured. */
  home: string | undefined;
}

const { render, policy } = plainPage<Content>(`
      <p role="alert"><%= it.detail %></p>
      <% if (it.home) { %><p><a href="<%= it.home %>">Back to the portal</a></p><% } %>
      <p><small><%= it.code %> · <%= it.requestId %></small></p>`);

/** Renders problems of the browser sign-in: redirects to the portal's error page, or returns a plain HTML page. */
@Catch()
export class LoginPageFilter extends ProblemFilter {
  constructor(
    private readonly config: Config,
    private readonly sealed: SealedCookiesService,
    denials: DenialRecorder,
  ) {
    super(denials);
  }

  protected override write(problem: Problem, request: Request, response: Response): void {
    emit('problem_sent', { code: problem.code });
    const back = this.addressFor(problem, request);
    if (back !== undefined) {
      response.set('Cache-Control', 'no-store').redirect(back);
      return;
    }
    this.show(problem, response);
  }

  /** URL of the portal page with this error (RFC 6749, 4.1.2.1); undefined when the portal did not start the sign-in. */
  private addressFor({ code, detail }: Problem, request: Request): string | undefined {
    const { http } = this.config;
    const page = `${http.publicUrl}/signed-in`;
    const begun = this.requestedBy(request);
    if (!http.portalEnabled || begun?.returnTo !== page) return undefined;
    const query = new URLSearchParams({ error: code, error_description: detail });
    if (begun.portalState !== undefined) query.set('state', begun.portalState);
    return `${page}?${query.toString()}`;
  }

  /** Return URL and state from the query when the sign-in starts, or else from its sealed cookie. */
  private requestedBy(request: Request): Pick<AuthorizationRequest, 'returnTo' | 'portalState'> | undefined {
    const { return_to: returnTo, state } = request.query;
    const portalState = typeof state === 'string' ? state : undefined;
    if (typeof returnTo === 'string') return { returnTo, portalState };
    if (portalState === undefined || !isState(portalState)) return undefined;
    return this.sealed.open('login-attempt', getRequestCookie(request, attemptCookie(portalState)));
  }

  private show(problem: Problem, response: Response): void {
    const { status, title } = problem.entry;
    if (status === 429 || status === 503) response.set('Retry-After', String(problem.retryAfter ?? 5));
    const content = {
      title,
      detail: problem.detail,
      code: problem.code,
      requestId: requestId(),
      home: this.home,
    };
    response
      .status(status)
      .set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': policy })
      .type('html')
      .send(render(content));
  }

  private get home(): string | undefined {
    const { oidc, http } = this.config;
    return oidc?.returnUrls[0] ?? (http.portalEnabled ? http.publicUrl : undefined);
  }
}
