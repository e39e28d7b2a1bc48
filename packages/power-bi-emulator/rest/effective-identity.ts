import { sameId } from '../content/content.js';
import type { Dataset } from '../content/model.js';
import type { EffectiveIdentity } from '../embed/embed-token.js';
import type { Emulator } from '../emulator.js';
import type { Principal } from './bearer.js';
import { objectsIn, textsIn } from './body-fields.js';
import { invalidRequest } from './power-bi-error.js';

const wellFormed = /^[\x21-\x7e]{1,256}$/;
/** Allows spaces for paginated reports, because an official example has one. */
const wellFormedForReports = /^[\x20-\x7e]{1,256}$/;

/** The identities of a request, validated by the rules of the API definition. Throws PowerBiError. */
export function readIdentities(value: unknown): EffectiveIdentity[] {
  const identities = objectsIn(value, 'identities');
  for (const identity of identities) checkIdentity(identity);
  return identities;
}

function checkIdentity(identity: Record<string, unknown>): void {
  const { username, roles = [], identityBlob, auditableContext } = identity;
  const datasets = textsIn(identity.datasets, 'identities.datasets');
  const reports = textsIn(identity.reports, 'identities.reports');
  const pattern = datasets.length > 0 ? wellFormed : wellFormedForReports;
  if (username === undefined ? !identityBlob : typeof username !== 'string' || !pattern.test(username)) {
    throw invalidRequest('Username is missing or invalid in EffectiveIdentity');
  }
  if (!Array.isArray(roles) || roles.length > 50 || !roles.every(isRole)) {
    throw invalidRequest('Roles are invalid in EffectiveIdentity');
  }
  if (auditableContext !== undefined && typeof auditableContext !== 'string') {
    throw invalidRequest('AuditableContext is invalid in EffectiveIdentity');
  }
  if (datasets.length === 0 && reports.length === 0) {
    throw invalidRequest('DatasetId is required for any EffectiveIdentity');
  }
}

function isRole(role: unknown): boolean {
  return typeof role === 'string' && role.length <= 50 && !role.includes(',');
}

/**
 * Row-level security fails closed for a service principal: an identity is required if and only if the dataset needs
 * one. Throws PowerBiError.
 */
export function checkIdentityOf(
  emulator: Emulator,
  principal: Principal,
  dataset: Dataset,
  identities: EffectiveIdentity[],
): void {
  const mine = identities.filter((each) => each.datasets?.some((id) => sameId(id, dataset.id)));
  const subject = `Creating embed token for accessing dataset ${dataset.id}`;
  if (!dataset.isEffectiveIdentityRequired) {
    if (mine.length > 0 && emulator.guess('rls_identity_needless') === '400') {
      throw invalidRequest(`${subject} shouldn't have effective identity`);
    }
    return;
  }
  if (mine.length === 0 && emulator.guess('rls_identity_missing') === '400') {
    throw invalidRequest(`${subject} requires effective identity to be provided`);
  }
  for (const identity of mine) checkRoles(emulator, dataset, identity, subject);
  if (dataset.liveConnection) checkLiveConnection(emulator, principal, mine, subject);
}

function checkRoles(
  emulator: Emulator,
  dataset: Dataset,
  { roles = [] }: EffectiveIdentity,
  subject: string,
) {
  const required = dataset.isEffectiveIdentityRolesRequired && emulator.guess('rls_roles_missing') === '400';
  if (required && roles.length === 0) {
    throw invalidRequest(`${subject} requires roles to be included in provided effective identity`);
  }
  const strict = emulator.guess('rls_role_unknown') === '400';
  if (strict && !roles.every((role) => dataset.roles.includes(role))) {
    throw invalidRequest(`${subject} has a role that the dataset does not define`);
  }
}

function checkLiveConnection(
  emulator: Emulator,
  principal: Principal,
  identities: EffectiveIdentity[],
  subject: string,
): void {
  if (emulator.guess('live_connection_username') === 'issued') return;
  if (identities.every(({ username }) => sameId(username, principal.objectId))) return;
  // The typo is Microsoft's.
  throw invalidRequest(
    `${subject} requries effective identity username to be identical to the caller's principal name`,
  );
}
