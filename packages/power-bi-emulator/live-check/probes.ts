import { randomUUID } from 'node:crypto';
import type { GuessName } from '../core/guesses.js';
import { embedProbes } from './embed-probes.js';
import { NotTried } from './not-tried.js';
import type { Subjects } from './subjects.js';
import type { TenantResponse, Tenant } from './tenant.js';

/** The observed behavior, as a value of the guess where one matches. Throws NotTried. */
export type Probe = (tenant: Tenant, subjects: Subjects) => Promise<string> | string;

const presence = (found: boolean): string => (found ? 'present' : 'absent');

const statusWords = ({ status }: TenantResponse): string => String(status);

const workspaceOf = ({ workspaceId }: Subjects): string => {
  if (workspaceId === undefined) throw new NotTried('the service principal has no workspaces');
  return workspaceId;
};

const catalogue: Partial<Record<GuessName, Probe>> = {
  missing_bearer: async (tenant) => {
    const response = await tenant.as(undefined, 'groups');
    return response.status === 403 && response.text === '' ? '403_empty' : statusWords(response);
  },
  malformed_bearer: async (tenant) => {
    const response = await tenant.as('Bearer garbled', 'groups');
    const isNamed = response.headers.get('x-powerbi-error-info') === 'InvalidToken';
    return response.status === 403 && isNamed ? '403_invalid_token' : statusWords(response);
  },
  not_found: async (tenant, subjects) =>
    statusWords(await tenant.get(`groups/${workspaceOf(subjects)}/reports/${randomUUID()}`)),
  invalid_id: async (tenant) => statusWords(await tenant.get('groups/no-guid/reports')),
  no_workspace_role: async (tenant) => {
    const { foreignWorkspaceId } = tenant.credentials;
    if (foreignWorkspaceId === undefined) throw new NotTried('LIVE_CHECK_FOREIGN_WORKSPACE_ID is not set');
    const response = await tenant.get(`groups/${foreignWorkspaceId}/reports`);
    if (response.status !== 401) return statusWords(response);
    const isHeader = response.headers.get('x-powerbi-error-info') === 'GroupNotAccessible';
    return isHeader ? '401_group_not_accessible' : '401_not_authorized';
  },
  conditional_access: async (tenant) => {
    const { headers, status } = await tenant.get('groups?$top=1');
    const isChallenged = headers.get('www-authenticate')?.includes('insufficient_claims') === true;
    return status === 401 && isChallenged ? 'challenge' : 'off';
  },
  odata_context: (_tenant, { groups }) => {
    const context = groups['@odata.context'];
    if (typeof context !== 'string') return 'absent';
    return context.startsWith('http://') ? 'http_cluster' : 'another scheme';
  },
  group_type: (_tenant, { groups }) => {
    const [first] = Array.isArray(groups.value) ? (groups.value as object[]) : [];
    if (first === undefined) throw new NotTried('the service principal has no workspaces');
    return presence('type' in first);
  },
  report_extras: (_tenant, { plain }) => {
    if (plain === undefined) throw new NotTried('no report without row-level security was found');
    return presence('isFromPbix' in plain.report);
  },
  embed_url_config: (_tenant, { plain }) => {
    if (plain === undefined) throw new NotTried('no report without row-level security was found');
    return presence(new URL(String(plain.report.embedUrl)).searchParams.has('config'));
  },
  target_storage_mode: (_tenant, { plain }) => {
    if (plain === undefined) throw new NotTried('no dataset without row-level security was found');
    return String(plain.dataset.targetStorageMode);
  },
  profile_refused: async (tenant) =>
    statusWords(await tenant.get('groups?$top=1', { 'x-powerbi-profile-id': randomUUID() })),
  admin_groups_count: async (tenant) => {
    const { status, body } = await tenant.get('admin/groups?$top=1');
    if (status !== 200 || body === undefined)
      throw new NotTried('the service principal has no access to the admin APIs');
    return presence('@odata.count' in body);
  },
};

const entra: Partial<Record<GuessName, Probe>> = {
  entra_error_numbers: async (tenant) => {
    const { body } = await tenant.askEntra({ client_secret: 'wrong' });
    return presence(Array.isArray(body?.error_codes));
  },
  token_endpoint_statuses: async (tenant) => {
    const { status } = await tenant.askEntra({ client_secret: 'wrong' });
    if (status === 401) return '401_for_invalid_client';
    return status === 400 ? 'always_400' : String(status);
  },
  access_token_version: (tenant) => String(tenant.claims().ver),
  token_lifetime: async (tenant) => {
    const seconds = Number((await tenant.signIn()).body?.expires_in);
    // The documented lifetime is an hour; the remaining seconds may be slightly fewer.
    return seconds > 3500 && seconds <= 3600 ? 'as_set' : 'random_60_to_90_minutes';
  },
  v1_token_numbers: async (tenant) => {
    const { scope } = tenant.credentials;
    const { body } = await tenant.askEntra({ resource: scope.replace(/\/\.default$/, '') }, 'oauth2/token');
    if (body?.expires_in === undefined) throw new NotTried('the v1 endpoint returned no token');
    return typeof body.expires_in === 'string' ? 'strings' : 'numbers';
  },
};

/** No probe changes anything in the tenant. */
export const probes: Partial<Record<GuessName, Probe>> = { ...entra, ...catalogue, ...embedProbes };
