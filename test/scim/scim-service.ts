import { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const PATCH_OP = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

export interface ScimUserBody {
  id: string;
  userName: string;
  externalId?: string;
  displayName: string;
  name: { formatted: string; givenName?: string; familyName?: string };
  emails: { value: string }[];
  active: boolean;
  title?: string;
  [ENTERPRISE]?: { department?: string; costCenter?: string; manager?: { value: string } };
}

export interface ListBody<T> {
  totalResults: number;
  startIndex: number;
  itemsPerPage: number;
  Resources: T[];
}

export interface ScimService {
  service: Service;
  admin: Client;
  adminId: string;
  /** A client with the secret of a service account with the scope `scim` as its token. */
  scim: Client;
  accountId: string;
}

export async function startScim(env: Record<string, string> = {}): Promise<ScimService> {
  const service = await startService({ RATE_LIMIT_SIGN_IN_PER_IP: '0', ...env });
  const user = await service.factory.admin();
  const admin = await service.as(user);
  const { body } = await admin.post<{ id: string; client_secret: string }>('/api/service-accounts', {
    name: 'Identity provider',
    scopes: ['scim'],
  });
  const scim = new Client(service.url, body.client_secret);
  return { service, admin, adminId: user.id, scim, accountId: body.id };
}

/** One PATCH request with these operations. */
export const patchOf = (...operations: object[]): object => ({ schemas: [PATCH_OP], Operations: operations });

let count = 0;

/** The body of a new person, as Microsoft Entra ID sends it. */
export function newPerson(given: object = {}): object {
  count += 1;
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', ENTERPRISE],
    externalId: `entra-${count}`,
    userName: `scim-${count}@example.com`,
    active: true,
    displayName: `Ada ${count}`,
    name: { formatted: `Ada ${count}`, givenName: 'Ada', familyName: String(count) },
    emails: [{ primary: true, type: 'work', value: `scim-${count}@example.com` }],
    [ENTERPRISE]: { department: 'Sales', costCenter: '4711' },
    ...given,
  };
}
