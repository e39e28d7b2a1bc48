import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { problem } from '../../core/problems/problem.js';
import { Config } from '../../core/config/config.js';

class CrossSiteRequest extends problem(
  'cross_site_request',
  'Send the request from a page of the portal, with the header X-Vitrine-CSRF: 1.',
) {}

/**
 * CSRF protection for requests that a cookie authenticates: requires a custom header, which another origin cannot set
 * without a preflight, and a same-origin `Sec-Fetch-Site` or `Origin`.
 */
@Injectable()
export class SameOriginGuard implements CanActivate {
  private readonly origin: string;

  constructor(config: Config) {
    this.origin = new URL(config.http.publicUrl).origin;
  }

  canActivate(context: ExecutionContext): boolean {
    const { headers } = context.switchToHttp().getRequest<Request>();
    const site = headers['sec-fetch-site'];
    const isOwn = site === undefined ? headers.origin === this.origin : site === 'same-origin';
    if (headers['x-vitrine-csrf'] !== '1' || !isOwn) throw new CrossSiteRequest();
    return true;
  }
}
