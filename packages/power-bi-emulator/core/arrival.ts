import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { bodyOf } from './body.js';
import type { Emulator } from '../emulator.js';

/** Dates the answer by the emulator's clock, numbers it, and writes the call down. */
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
