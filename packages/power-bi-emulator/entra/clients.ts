import { sameId } from '../content/content.js';
import type { ServicePrincipal } from '../content/model.js';
import type { Emulator } from '../emulator.js';
import { EntraError } from './entra-error.js';

/** Microsoft's own public clients, which exist in every tenant. */
const firstParty: Record<string, string> = {
  '04b07795-8ddb-461a-bbee-02f9e1bf7b46': 'Microsoft Azure CLI',
  '1950a258-227b-4e31-a9cf-717495945fc2': 'Microsoft Azure PowerShell',
  'ea0616ba-638b-4df5-95b9-636659ae5121': 'Power BI PowerShell',
};

/** The app of a request. Throws EntraError. */
export function clientOf(emulator: Emulator, clientId: string | undefined): ServicePrincipal {
  if (!clientId) {
    const message = "The request body must contain the following parameter: 'client_id'.";
    throw new EntraError('invalid_request', 900144, message);
  }
  const found = emulator.content.principals.find((each) => sameId(each.clientId, clientId));
  if (found) return found;
  const id = clientId.toLowerCase();
  const displayName = Object.hasOwn(firstParty, id) ? firstParty[id] : undefined;
  if (displayName) return { clientId, objectId: clientId, displayName, secrets: [], certificates: [] };
  const message = `Application with identifier '${clientId}' was not found in the directory.`;
  throw new EntraError('unauthorized_client', 700016, message);
}
