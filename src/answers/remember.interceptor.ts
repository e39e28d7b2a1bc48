import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { routeOf } from '../common/request-timing.js';
import { REMEMBERED } from '../common/remembered.js';
import { RememberedAnswers } from './remembered-answers.service.js';

/** Writes down the answers of routes that are `@Remembered()`. */
@Injectable()
export class RememberInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly answers: RememberedAnswers,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const caller = request.user;
    const isMarked = this.reflector.get<true | undefined>(REMEMBERED, context.getHandler());
    if (isMarked === undefined || caller === undefined || request.method !== 'GET') return next.handle();
    const view = await this.answers.prepare(caller);
    if (view === undefined) return next.handle();
    const response = context.switchToHttp().getResponse<Response>();
    return next.handle().pipe(
      map((dto: object) => {
        const link = response.getHeader('Link');
        const { body, etag } = this.answers.keep(view, request.originalUrl, {
          body: JSON.stringify(dto),
          ...(typeof link === 'string' && { link }),
          route: routeOf(request),
        });
        response.setHeader('Content-Type', 'application/json; charset=utf-8');
        response.setHeader('ETag', etag);
        return body;
      }),
    );
  }
}
