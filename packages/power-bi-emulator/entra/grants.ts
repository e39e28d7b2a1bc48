import { createHash } from 'node:crypto';
import type { ServicePrincipal } from '../content/model.js';
import { findPerson, type Person } from '../content/people.js';
import { demoPassword } from '../demo-tenant.js';
import type { Emulator } from '../emulator.js';
import { isAuthenticated, type Form } from './client-authentication.js';
import { EntraError } from './entra-error.js';
import type { Scopes } from './audiences.js';
import type { Code, Consent } from './sign-ins.js';

export interface GrantRequest {
  emulator: Emulator;
  form: Form;
  client: ServicePrincipal;
  tenant: string;
  version: '1.0' | '2.0';
  /** Reads the requested scopes. Throws EntraError. */
  scopes: () => Scopes;
}

const invalidGrant = (number: number, message: string) => new EntraError('invalid_grant', number, message);

/** Resource owner password credentials. */
export function passwordGrant({ emulator, form, client, tenant, version, scopes }: GrantRequest): Consent {
  if (version === '2.0' && tenant.toLowerCase() === 'common') {
    const message =
      'The grant type is not supported over the /common or /consumers endpoints. Please use the /organizations or ' +
      'tenant-specific endpoint.';
    throw new EntraError('invalid_request', 9001023, message);
  }
  return { ...scopes(), clientId: client.clientId, person: personWith(emulator, form) };
}

function personWith(emulator: Emulator, form: Form): Person {
  required(form, 'username');
  required(form, 'password');
  const person = findPerson(emulator.content, form.username);
  if (!person) {
    const message = `The user account ${form.username} does not exist in the directory. To sign into this application, the account must be added to the directory.`;
    throw invalidGrant(50034, message);
  }
  if (form.password !== demoPassword) {
    throw invalidGrant(50126, 'Error validating credentials due to invalid username or password.');
  }
  return person;
}

/** The code of an authorization response, valid once. */
export function codeGrant({ emulator, form, client }: GrantRequest): Consent {
  const code = emulator.signIns.findCode(required(form, 'code'));
  if (!code) throw invalidGrant(9002313, 'Invalid request. Request is malformed or invalid.');
  if (code.clientId.toLowerCase() !== client.clientId.toLowerCase()) throw foreign();
  if (emulator.signIns.isOver(code)) {
    throw invalidGrant(70008, 'The provided authorization code or refresh token has expired.');
  }
  if (code.redeemed) {
    const message =
      'OAuth2 Authorization code was already redeemed, please retry with a new valid code or use an existing refresh token.';
    throw invalidGrant(54005, message);
  }
  if (form.redirect_uri !== code.redirectUri) {
    const message = `The reply address '${form.redirect_uri}' does not match the reply address '${code.redirectUri}' provided when requesting Authorization code.`;
    throw new EntraError('invalid_client', 500112, message);
  }
  checkVerifier(code, form);
  code.redeemed = true;
  return code;
}

function checkVerifier({ challenge }: Code, form: Form): void {
  if (!challenge) {
    if (isAuthenticated(form)) return;
    const message =
      "The request body must contain the following parameter: 'client_assertion' or 'client_secret'.";
    throw new EntraError('invalid_client', 7000218, message);
  }
  const verifier = form.code_verifier ?? '';
  const sent =
    challenge.method === 'S256' ? createHash('sha256').update(verifier).digest('base64url') : verifier;
  if (sent === challenge.value) return;
  throw invalidGrant(
    501481,
    'The Code_Verifier does not match the code_challenge supplied in the authorization request.',
  );
}

/** Scopes may only be narrowed or changed to another resource that the user consented to, here any. */
export function refreshGrant({ emulator, form, client, scopes }: GrantRequest): Consent {
  const found = emulator.signIns.findRefreshToken(required(form, 'refresh_token'));
  if (!found) throw invalidGrant(9002313, 'Invalid request. Request is malformed or invalid.');
  if (found.clientId.toLowerCase() !== client.clientId.toLowerCase()) throw foreign();
  if (emulator.signIns.isOver(found)) {
    throw invalidGrant(700082, 'The refresh token has expired due to inactivity.');
  }
  const { nonce: _ofTheSignIn, ...consent } = found;
  if (form.scope === undefined && form.resource === undefined) return consent;
  return { ...consent, ...scopes(), openid: consent.openid };
}

/** Polls for the decision about a device code. */
export function deviceCodeGrant({ emulator, form, client }: GrantRequest): Consent {
  const value = form.device_code ?? required(form, 'code');
  const code = emulator.signIns.findDeviceCode(value);
  if (!code) throw new EntraError('bad_verification_code', 70019, 'The device code is not recognized.');
  if (code.clientId.toLowerCase() !== client.clientId.toLowerCase()) throw foreign();
  if (code.decision === undefined) {
    if (emulator.signIns.isOver(code)) {
      throw new EntraError('expired_token', 70020, 'The provided device code has expired.');
    }
    const message = 'OAuth 2.0 device flow error. Authorization is pending. Continue polling.';
    throw new EntraError('authorization_pending', 70016, message);
  }
  emulator.signIns.removeDeviceCode(value);
  if (code.decision === 'declined') {
    throw new EntraError('authorization_declined', 70018, 'The user declined the request.');
  }
  return { ...code, person: code.decision };
}

export function required(form: Form, name: string): string {
  const value = form[name];
  if (value) return value;
  const message = `The request body must contain the following parameter: '${name}'.`;
  throw new EntraError('invalid_request', 900144, message);
}

function foreign(): EntraError {
  return invalidGrant(70000, 'The provided grant was issued to another client.');
}
