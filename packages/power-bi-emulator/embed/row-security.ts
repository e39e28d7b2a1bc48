import type { Dataset } from '../content/model.js';
import { sameId } from '../content/content.js';
import { people, tableOf, type Row } from './demo-data.js';
import type { EffectiveIdentity, EmbedGrant } from './embed-token.js';

/** The token names a role that the model does not define; detected by the first query. */
export class UnknownRole extends Error {}

/** The token's identity for this dataset. */
export function identityFor(
  dataset: Dataset | undefined,
  grant: Pick<EmbedGrant, 'identities'>,
): EffectiveIdentity | undefined {
  return grant.identities.find((each) => each.datasets?.some((id) => sameId(id, dataset?.id)));
}

/** The rows visible to the token's identity; all rows without row-level security. Throws UnknownRole. */
export function visibleRows(dataset: Dataset | undefined, identity: EffectiveIdentity | undefined): Row[] {
  const rows = tableOf(dataset?.data ?? 'sales');
  if (!dataset?.isEffectiveIdentityRequired) return rows;
  const username = identity?.username?.toLowerCase();
  if (!username) return [];
  if (!dataset.isEffectiveIdentityRolesRequired) return rows.filter(({ person }) => person === username);
  const roles = identity?.roles ?? [];
  const unknown = roles.find((role) => !dataset.roles.includes(role));
  if (unknown) throw new UnknownRole(unknown);
  return rows.filter((row) => roles.some((role) => admits(role, username, row)));
}

/** Roles are additive, as in Power BI. `Manager`: all rows for the first user, own rows for any other user. */
function admits(role: string, username: string, row: Row): boolean {
  const own = row.person === username;
  if (role === 'Manager') return own || username === people[0];
  return own && row.category === role;
}
