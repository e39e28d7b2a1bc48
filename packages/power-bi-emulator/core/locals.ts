import type { Response } from 'express';
import type { Call } from './calls.js';
import type { Principal } from '../rest/bearer.js';

export function callOf(response: Response): Call {
  return response.locals.call as Call;
}

/** Who asks: set by the bearer check, in front of every REST route. */
export function principalOf(response: Response): Principal {
  return response.locals.principal as Principal;
}
