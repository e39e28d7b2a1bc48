import { applyDecorators, SetMetadata, UseInterceptors } from '@nestjs/common';
import { ApiHeader } from '#openapi';
import { IDEMPOTENT, type IdempotentOptions } from './idempotent-options.js';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

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
