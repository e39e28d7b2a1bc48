import type { Request, RequestHandler, Response } from 'express';
import { bodyOf } from '../core/body.js';
import type { Emulator } from '../emulator.js';
import { EntraError } from './entra-error.js';
import { checkTenant } from './tenants.js';

/** Sends what the action returns, or its EntraError. Checks the tenant of the path first. */
export function responding(
  emulator: Emulator,
  action: (request: Request, response: Response) => Promise<object> | object,
): RequestHandler {
  return async (request, response) => {
    response.set('Cache-Control', 'no-store');
    try {
      checkTenant(String(request.params.tenant));
      response.json(await action(request, response));
    } catch (error) {
      if (!(error instanceof EntraError)) throw error;
      const { 'client-request-id': id } = (bodyOf(request) ?? {}) as Record<string, string | undefined>;
      const correlation = id ?? request.get('client-request-id');
      response.status(statusOf(emulator, error)).json(error.toBody(emulator, correlation));
    }
  };
}

function statusOf(emulator: Emulator, { error }: EntraError): number {
  const distinguishes = emulator.guess('token_endpoint_statuses') === '401_for_invalid_client';
  return distinguishes && error === 'invalid_client' ? 401 : 400;
}
