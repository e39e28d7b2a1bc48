import type { RequestHandler } from 'express';
import type { Emulator } from '../emulator.js';
import { operationOf, servedOperations } from './operations.js';
import { coded } from './power-bi-error.js';

/** Responds with 501 to an operation of the definition without a route, so that it differs from a wrong URL. */
export function notServed(emulator: Emulator): RequestHandler {
  const served = new Set(servedOperations(emulator).map(({ id }) => id));
  return (request, _response, next) => {
    const operation = operationOf(request.method, request.path);
    if (operation && !served.has(operation.id)) {
      const { id, method, path } = operation;
      throw coded(501, 'NotImplemented', `The emulator does not serve ${id} (${method} ${path})`);
    }
    next();
  };
}
