import {
  applyDecorators,
  Controller,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiExcludeController } from '#openapi';
import { RequiresScope } from '../../core/http/access.js';
import type { Response } from 'express';
import type { Observable } from 'rxjs';

@Injectable()
class ScimResponseInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const response = context.switchToHttp().getResponse<Response>();
    response.type('application/scim+json').setHeader('Cache-Control', 'no-store');
    return next.handle();
  }
}

export const SCIM_PATH = 'scim/v2';

/** A controller of SCIM resources below `/scim/v2`, which `/scim/v2/Schemas` describes instead of OpenAPI. */
export const ScimController = (path = ''): ClassDecorator =>
  applyDecorators(
    Controller(path === '' ? SCIM_PATH : `${SCIM_PATH}/${path}`),
    RequiresScope('scim'),
    UseInterceptors(ScimResponseInterceptor),
    ApiExcludeController(),
  );
