import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiConsumes } from '#openapi';
import type { Request } from 'express';

/** The body as received; `binaryBody` has read it. Empty without a body. */
export const ImageBody = createParamDecorator((_: unknown, context: ExecutionContext): Buffer => {
  const { body } = context.switchToHttp().getRequest<Request>();
  return Buffer.isBuffer(body) ? body : Buffer.alloc(0);
});

/** Documents the body of a route that takes an image file. */
export const TakesImage = (): MethodDecorator =>
  applyDecorators(
    ApiConsumes('image/*'),
    ApiBody({ required: true, schema: { type: 'string', format: 'binary', maxLength: 262_144 } }),
  );
