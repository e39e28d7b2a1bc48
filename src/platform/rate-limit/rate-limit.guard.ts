import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ApiRateLimitsService } from './api-rate-limits.service.js';

/** Must run after AccessGuard, which sets the principal. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(private readonly rateLimits: ApiRateLimitsService) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    if (request.user !== undefined) {
      await this.rateLimits.consumeUser(request.user, request, http.getResponse<Response>());
    }
    return true;
  }
}
