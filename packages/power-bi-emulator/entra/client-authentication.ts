import { sameId } from '../content/content.js';
import type { ServicePrincipal } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { checkAssertion } from './client-assertion.js';
import { EntraError } from './entra-error.js';

export type Form = Record<string, string | undefined>;

/**
 * Authenticates the service principal of a token request. Unknown fields are ignored: MSAL sends many. Throws
 * EntraError.
 */
export async function authenticate(emulator: Emulator, form: Form): Promise<ServicePrincipal> {
  if (form.grant_type !== 'client_credentials') {
    throw new EntraError('unsupported_grant_type', 70003, 'The app requested an unsupported grant type.');
  }
  const principal = emulator.content.principals.find((each) => sameId(each.clientId, form.client_id));
  if (!principal) {
    const message = `Application with identifier '${form.client_id}' was not found in the directory.`;
    throw new EntraError('unauthorized_client', 700016, message);
  }
  if (form.client_assertion) await checkAssertion(emulator, principal, form.client_assertion);
  else checkSecret(principal, form, emulator.clock.now());
  return principal;
}

function checkSecret(principal: ServicePrincipal, form: Form, now: Date): void {
  const secret = principal.secrets.find((each) => each.value === form.client_secret);
  if (!secret) throw new EntraError('invalid_client', 7000215, 'Invalid client secret provided.');
  if (secret.expiresAt && Date.parse(secret.expiresAt) <= now.getTime()) {
    throw new EntraError('invalid_client', 7000222, 'The provided client secret keys are expired.');
  }
}
