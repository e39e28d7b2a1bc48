import type { RequestHandler } from 'express';
import { readAccessToken } from '../entra/access-token.js';
import { sameId } from '../content/content.js';
import { isTenantAdmin } from '../content/people.js';
import { callOf } from '../core/locals.js';
import type { Emulator } from '../emulator.js';
import { headerOnly, infoHeader, notAuthorized, pbiError, PowerBiError } from './power-bi-error.js';

export interface Principal {
  clientId: string;
  objectId: string;
  /** User principal name, if the app acts for a user. */
  upn?: string;
  /** Expiry of the Entra token of this call, in seconds since 1970. */
  expires: number;
  /** Service principal profile of the call. */
  profile?: string;
}

/** How a workspace and a dataset name the caller. */
export const identifierOf = ({ upn, objectId }: Principal): string => upn ?? objectId;

/** Power BI swaps the usual statuses: an invalid token is a 403, a missing right a 401. */
export function bearer(emulator: Emulator): RequestHandler {
  return async (request, response, next) => {
    const caller = await identify(emulator, request.get('authorization'));
    const profile = profileOf(emulator, caller, request.get('x-powerbi-profile-id'));
    const principal = profile ? { ...caller, profile } : caller;
    response.locals.principal = principal;
    const { clientId, upn } = caller;
    Object.assign(callOf(response), {
      principal: clientId,
      ...(upn && { user: upn }),
      ...(profile && { profile }),
    });
    if (!upn && !emulator.settings.tenant_switch) throw switchedOff(emulator);
    if (upn && !isTenantAdmin(upn) && /^\/admin\//i.test(request.path)) throw notAuthorized();
    next();
  };
}

async function identify(emulator: Emulator, header: string | undefined): Promise<Principal> {
  if (emulator.guess('conditional_access') === 'challenge') throw challenge();
  if (!header) throw new PowerBiError(emulator.guess('missing_bearer') === '401' ? 401 : 403);
  const claims = await readAccessToken(emulator, header.replace(/^Bearer /i, ''));
  if (claims === 'expired') throw expired(emulator);
  if (claims === 'invalid') {
    throw headerOnly(emulator.guess('malformed_bearer') === '401' ? 401 : 403, 'InvalidToken');
  }
  const upn = claims.upn ?? claims.preferred_username;
  return {
    clientId: claims.appid ?? claims.azp ?? '',
    objectId: claims.oid,
    ...(upn && { upn }),
    expires: claims.exp,
  };
}

/** Only the service principal that created a profile can use it. */
function profileOf(emulator: Emulator, caller: Principal, id: string | undefined): string | undefined {
  if (!id) return undefined;
  const profile = emulator.content.profiles.find((each) => sameId(each.id, id));
  if (caller.upn || !profile || !sameId(profile.servicePrincipalId, caller.objectId)) {
    throw profileRefused(emulator);
  }
  return profile.id;
}

export function profileRefused(emulator: Emulator): PowerBiError {
  return pbiError(Number(emulator.guess('profile_refused')), 'PowerBINotAuthorizedException');
}

function expired(emulator: Emulator): PowerBiError {
  if (emulator.guess('expired_bearer') === '403_header') return headerOnly(403, 'TokenExpired');
  return new PowerBiError(403, { error: { code: 'TokenExpired' } }, infoHeader('TokenExpired'));
}

export function switchedOff(emulator: Emulator): PowerBiError {
  if (emulator.guess('tenant_switch_off') === '401_header') {
    return headerOnly(401, 'ServicePrincipalIsNotAllowedByTenantAdminSwitch');
  }
  const status = emulator.guess('tenant_switch_off') === '401_body' ? 401 : 403;
  return new PowerBiError(status, { Message: 'API is not accessible for application' });
}

function challenge(): PowerBiError {
  const claims = Buffer.from('{"access_token":{"nbf":{"essential":true}}}').toString('base64');
  return new PowerBiError(401, undefined, {
    'WWW-Authenticate': `Bearer realm="", error="insufficient_claims", claims="${claims}"`,
  });
}
