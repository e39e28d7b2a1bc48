import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { problem } from '../problems/problem.js';
import { requestContext } from './request-context.js';

export class ClientDisconnected extends problem('caller_gone', 'The client closed the connection.') {}

/**
 * A signal that aborts when the client disconnects before its response or the deadline passes: the result is no
 * longer needed.
 */
export const RequestAbortSignal = createParamDecorator(
  (_: unknown, context: ExecutionContext): AbortSignal => {
    const response = context.switchToHttp().getResponse<Response>();
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort(new ClientDisconnected());
    });
    const deadline = requestContext()?.signal;
    // `AbortSignal.any` would keep both until the garbage collector has found the result.
    const pass = (): void => gone.abort(deadline?.reason);
    if (deadline?.aborted === true) pass();
    deadline?.addEventListener('abort', pass, { once: true });
    return gone.signal;
  },
);
