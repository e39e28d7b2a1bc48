import { Client } from '../support/client.js';
import type { Service } from '../support/service.js';

/** A new service account with the scope `scim`, whose secret is the token. */
export async function scimClient(service: Service): Promise<Client> {
  const admin = await service.asAdmin();
  const account = { name: 'Provisioning', scopes: ['scim'] };
  const { body } = await admin.post<{ client_secret: string }>('/api/service-accounts', account);
  return new Client(service.url, body.client_secret);
}
