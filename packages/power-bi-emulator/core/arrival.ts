import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { bodyOf } from './body.js';
import type { Emulator } from '../emulator.js';

/** Sets the response's `Date` from the emulator's clock and its `RequestId`, and records the call. */
export function arrival(emulator: Emulator): RequestHandler {
  return (request, response, next) => {
    response.set({ Date: emulator.clock.now().toUTCString(), RequestId: randomUUID() });
    const call = emulator.calls.record({
      method: request.method,
      path: request.path,
      query: request.query,
      body: bodyOf(request),
    });
    response.locals.call = call;
    response.on('finish', () => (call.status = response.statusCode));
    next();
  };
}
