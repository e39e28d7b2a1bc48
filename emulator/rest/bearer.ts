import type { RequestHandler } from 'express';
import { readAccessToken } from '../entra/access-token.js';
import { callOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { coded, headerOnly, PowerBiError } from './power-bi-error.js';

export interface Principal {
  clientId: string;
  objectId: string;
  /** When the Entra token behind this call ends, in seconds since 1970. */
  expires: number;
}

/** Power BI turns the usual statuses round: a bad token is a 403, a missing right a 401. */
export function bearer(emulator: Emulator): RequestHandler {
  return async (request, response, next) => {
    const principal = await identify(emulator, request.get('authorization'));
    response.locals.principal = principal;
    callOf(response).principal = principal.clientId;
    if (!emulator.settings.tenant_switch) throw switchedOff(emulator);
    next();
  };
}

async function identify(emulator: Emulator, header: string | undefined): Promise<Principal> {
  if (!header) throw new PowerBiError(emulator.guess('missing_bearer') === '401' ? 401 : 403);
  const claims = await readAccessToken(emulator, header.replace(/^Bearer /i, ''));
  if (claims === 'expired') throw expired(emulator);
  if (claims === 'invalid') {
    throw headerOnly(emulator.guess('malformed_bearer') === '401' ? 401 : 403, 'InvalidToken');
  }
  return { clientId: claims.appid, objectId: claims.oid, expires: claims.exp };
}

function expired(emulator: Emulator): PowerBiError {
  if (emulator.guess('expired_bearer') === '403_header') return headerOnly(403, 'TokenExpired');
  return coded(403, 'TokenExpired', 'Access token has expired, resubmit with a new access token');
}

function switchedOff(emulator: Emulator): PowerBiError {
  if (emulator.guess('tenant_switch_off') === '401_header') {
    return headerOnly(401, 'ServicePrincipalIsNotAllowedByTenantAdminSwitch');
  }
  return new PowerBiError(403, { Message: 'API is not accessible for application' });
}
