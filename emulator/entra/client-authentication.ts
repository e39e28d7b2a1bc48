import type { ServicePrincipal } from '../content/model.js';
import { sameId } from '../content/content.js';
import type { Emulator } from '../emulator.js';
import { EntraError } from './entra-error.js';

type Form = Record<string, string | undefined>;

const scopes = [
  'https://analysis.windows.net/powerbi/api/.default',
  'https://analysis.usgovcloudapi.net/powerbi/api/.default',
  'https://high.analysis.usgovcloudapi.net/powerbi/api/.default',
  'https://mil.analysis.usgovcloudapi.net/powerbi/api/.default',
  'https://analysis.chinacloudapi.cn/powerbi/api/.default',
];

/** The service principal that a token request proves to be. Unknown fields are ignored: MSAL sends many. */
export async function authenticate(emulator: Emulator, form: Form): Promise<ServicePrincipal> {
  if (form.grant_type !== 'client_credentials') {
    throw new EntraError('unsupported_grant_type', 70003, `The app requested an unsupported grant type.`);
  }
  const principal = emulator.content.principals.find((each) => sameId(each.clientId, form.client_id));
  if (!principal) {
    throw new EntraError(
      'unauthorized_client',
      700016,
      `Application with identifier '${form.client_id}' was not found in the directory.`,
    );
  }
  checkSecret(principal, form, emulator.clock.now());
  checkScope(form.scope);
  return principal;
}

function checkSecret(principal: ServicePrincipal, form: Form, now: Date): void {
  const secret = principal.secrets.find((each) => each.value === form.client_secret);
  if (!secret) {
    throw new EntraError('invalid_client', 7000215, 'Invalid client secret provided.');
  }
  if (secret.expiresAt && Date.parse(secret.expiresAt) <= now.getTime()) {
    throw new EntraError('invalid_client', 7000222, 'The provided client secret keys are expired.');
  }
}

function checkScope(scope: string | undefined): void {
  const asked = (scope ?? '').split(' ').filter((each) => each.startsWith('https:'));
  if (asked.length === 1 && scopes.includes(asked[0]!)) return;
  throw new EntraError('invalid_scope', 70011, `The provided value for scope ${scope} is not valid.`);
}
