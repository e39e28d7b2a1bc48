import { setTimeout as pause } from 'node:timers/promises';
import type { RequestHandler, Response } from 'express';
import type { Emulator } from '../emulator.js';
import type { Fault } from './faults.js';

/** Applies latency and armed faults to everything except the control API. */
export function trouble(emulator: Emulator): RequestHandler {
  return async (request, response, next) => {
    const fault = emulator.faults.take(request.method, request.path);
    // Without a pause after the record of the call, so that a call that is listed can be released.
    if (fault?.hold) await emulator.faults.hold();
    const delay = emulator.settings.latency_ms + (fault?.delay_ms ?? 0);
    if (delay > 0) await pause(delay);
    if (!fault || !applyFault(fault, response)) next();
  };
}

/** Whether the fault ends the request; after a mere delay or hold, the request continues. */
function applyFault(fault: Fault, response: Response): boolean {
  if (fault.hang) return true;
  if (fault.reset) {
    response.socket?.destroy();
    return true;
  }
  const status = fault.status ?? (fault.retry_after === undefined ? undefined : 429);
  if (status === undefined) return false;
  response.status(status).set(fault.headers ?? {});
  if (fault.retry_after !== undefined) response.set('Retry-After', String(fault.retry_after));
  if (fault.body === undefined) response.end();
  else if (typeof fault.body === 'string') response.send(fault.body);
  else response.json(fault.body);
  return true;
}
