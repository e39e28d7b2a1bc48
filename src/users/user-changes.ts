import type { Differences } from '../platform/audit/differences.js';
import { personalData } from './personal-data.queries.js';
import type { User } from './user.entity.js';

/** What provisioning sets at the creation and later. */
type ProvisionedColumn =
  | 'status'
  | 'attributes'
  | 'source'
  | 'userName'
  | 'hasScimEmail'
  | 'externalId'
  | 'givenName'
  | 'familyName';

export type NewUser = Pick<User, 'email' | 'name' | 'role' | 'passwordHash'> &
  Partial<Pick<User, ProvisionedColumn>>;
/** Omitted properties stay unchanged. */
export type UserChanges = Partial<
  Pick<
    User,
    ProvisionedColumn | 'name' | 'email' | 'role' | 'scopes' | 'locale' | 'timeZone' | 'scimDeletedAt'
  >
>;

/** Columns that hold values of a person. The audit trail contains only their names, because it outlasts an erasure. */
const personal = new Set(personalData.flatMap(({ table, columns }) => (table === 'users' ? columns : [])));

/**
 * Details of a change for the audit trail: old and new values, and in `changed` the names of what holds a person, for
 * attributes with their own names. The values of a service account are no personal data.
 */
export function auditedChange(
  { kind }: Pick<User, 'kind'>,
  diff: Differences,
): { diff?: Differences; changed?: string[] } {
  if (kind === 'service') return { diff };
  const [named, shown] = [new Array<string>(), {} as Differences];
  for (const [name, change] of Object.entries(diff)) {
    if (name === 'attributes') named.push(...changedKeys(change).map((key) => `attributes.${key}`));
    else if (personal.has(name)) named.push(name);
    else shown[name] = change;
  }
  return {
    ...(Object.keys(shown).length > 0 && { diff: shown }),
    ...(named.length > 0 && { changed: named.toSorted() }),
  };
}

function changedKeys({ from, to }: Differences[string]): string[] {
  const [before, after] = [from, to] as Record<string, string>[];
  return Object.keys({ ...before, ...after }).filter((key) => before?.[key] !== after?.[key]);
}
