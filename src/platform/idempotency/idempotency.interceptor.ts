import { ApiHeader } from '#openapi';
import {
  applyDecorators,
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  type Type,
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

/**
 * For routes whose rights depend on more than the access decorator. Throws if the caller is no longer allowed to call
 * the route.
 */
export interface ReplayCheck<Body extends object = object> {
  isStillAllowed(caller: Principal, body: Body, params: { id?: string }): Promise<void>;
}

/** Data of another server that the route needs: the transaction of the key must not wait for it. */
export interface Preparation {
  /** Also called before a replay, which does not need the data: never throws, and ends within seconds. */
  prepare(): Promise<void>;
}

interface IdempotentOptions {
  /** Secret fields of the response, at any depth: sent once, never stored, omitted from a replay. */
  withhold?: readonly string[];
  /** Called before the transaction begins. */
  preparation?: Type<Preparation>;
  /** Called before a replay. */
  check?: Type<ReplayCheck>;
}

const Options = Reflector.createDecorator<IdempotentOptions>();

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
    const options = this.reflector.get(Options, context.getHandler());
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
    Options(options),
    UseInterceptors(IdempotencyInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Up to 255 printable ASCII characters. For 24 hours the same request with the same key returns the same response.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    }),
  );
