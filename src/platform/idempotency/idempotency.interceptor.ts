import { ApiHeader } from '#openapi';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseInterceptors,
} from '@nestjs/common';
import { ModuleRef, Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { InvalidRequest } from '../../core/problems/problem.js';
import { requireShallow } from '../../core/validation/validation.js';
import type { Principal } from '../../core/http/principal.js';
import {
  type StoredResponse,
  IdempotencyKeysService,
  type KeyedRequest,
} from './idempotency-keys.service.js';
import { IDEMPOTENT, type IdempotentOptions } from './idempotent-options.js';

const printable = /^[\x20-\x7e]{1,255}$/;

/** Runs after the guards: a caller who may not call the route gets no replay either. */
@Injectable()
class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly reflector: Reflector,
    private readonly modules: ModuleRef,
    private readonly keys: IdempotencyKeysService,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<Request>();
    const key = request.get('idempotency-key');
    if (key === undefined) return next.handle();
    if (!printable.test(key)) {
      const detail = 'Idempotency-Key must be 1 to 255 printable ASCII characters';
      throw new InvalidRequest([{ pointer: '/Idempotency-Key', detail }]);
    }
    // Runs before the body is validated, and reads it recursively.
    requireShallow(request.body);
    const caller = request.user as Principal;
    const options = this.reflector.get<IdempotentOptions>(IDEMPOTENT, context.getHandler());
    const response = context.switchToHttp().getResponse<Response>();
    if (options.preparation !== undefined)
      await this.modules.get(options.preparation, { strict: false }).prepare();
    let body: unknown;
    const known = await this.keys.runOnce(keyedRequest(request, caller, key), async () => {
      body = await lastValueFrom(next.handle());
      return toStoredResponse(response, body, options.withhold ?? []);
    });
    if (known === null) return of(body);
    if (options.check !== undefined) {
      const check = this.modules.get(options.check, { strict: false });
      await check.isStillAllowed(caller, request.body as object, request.params);
    }
    return of(replay(response, known));
  }
}

function keyedRequest(request: Request, { id }: Principal, key: string): KeyedRequest {
  const { path } = request.route as { path: string };
  const content = JSON.stringify([request.path, request.body ?? null]);
  return { userId: id, route: `${request.method} ${path}`, key, content };
}

function toStoredResponse(response: Response, body: unknown, withhold: readonly string[]): StoredResponse {
  const location = response.getHeader('Location');
  const sent = JSON.stringify(body, (name, value: unknown) => (withhold.includes(name) ? undefined : value));
  return {
    status: response.statusCode,
    location: typeof location === 'string' ? location : null,
    body: JSON.parse(sent) as object,
  };
}

function replay(response: Response, { status, location, body }: StoredResponse): object {
  response.status(status).setHeader('Idempotency-Replayed', 'true');
  if (location !== null) response.setHeader('Location', location);
  return body;
}

/** Accepts an `Idempotency-Key` header: a repeated request gets the stored response and has no effect. */
export const Idempotent = (options: IdempotentOptions = {}): MethodDecorator =>
  applyDecorators(
    SetMetadata(IDEMPOTENT, options),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Up to 255 printable ASCII characters. For 24 hours the same request with the same key returns the same response.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
