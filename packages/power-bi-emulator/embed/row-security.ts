import type { Dataset } from '../content/model.js';
import { sameId } from '../content/content.js';
import { people, tableOf, type Row } from './demo-data.js';
import type { EffectiveIdentity, EmbedGrant } from './embed-token.js';

/** A role that the token names and the model does not define: found out when the first query runs. */
export class UnknownRole extends Error {}

/** Who the token was issued for, as far as this dataset is concerned. */
export function identityFor(
  dataset: Dataset | undefined,
  grant: Pick<EmbedGrant, 'identities'>,
): EffectiveIdentity | undefined {
  return grant.identities.find((each) => each.datasets?.some((id) => sameId(id, dataset?.id)));
}

/** The rows that the identity of the token may see; without row-level security, all. */
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

/** Roles add up, as they do in Power BI. `Manager`: the team's rows, and only the first person leads one. */
function admits(role: string, username: string, row: Row): boolean {
  const own = row.person === username;
  if (role === 'Manager') return own || username === people[0];
  return own && row.category === role;
}
