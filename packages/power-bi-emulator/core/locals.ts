import type { Response } from 'express';
import type { Call } from './calls.js';
import type { Principal } from '../rest/bearer.js';

export function callOf(response: Response): Call {
  return response.locals.call as Call;
}

/** The caller, set by the bearer check before every REST route. */
export function principalOf(response: Response): Principal {
  return response.locals.principal as Principal;
}
