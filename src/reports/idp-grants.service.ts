import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RuleGrant } from '../core/config/sign-in-rules.js';
import { isAtLeast, type Target, targetIdOf, type WorkspaceRole } from '../access/grants/grant.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { GrantsService } from '../access/grants/grants.service.js';
import { findOwnGrants } from '../access/grants/stored-grants.queries.js';
import { boundAmong } from '../access/groups/rule-references.queries.js';
import { type RuleTarget, RuleTargetsService } from './rule-targets.service.js';

interface Granted {
  target: Target;
  role: WorkspaceRole;
}

type Find = (grant: RuleGrant) => RuleTarget;

/** By the id of the report or, for a whole workspace, of the workspace. */
type Roles = ReadonlyMap<string, Granted>;

/** Grants from the identity provider, on workspaces and single reports. Manual grants are not affected. */
@Injectable()
export class IdpGrantsService {
  constructor(
    private readonly grants: GrantsService,
    private readonly targets: RuleTargetsService,
  ) {}

  /**
   * Applies the `certain` grants, and removes grants that neither `certain` nor `unknown` justifies. `unknown` grants
   * may still apply: they add nothing, but keep what exists. So do grants whose workspace or report is not present.
   */
  async apply(
    tx: EntityManager,
    userId: string,
    certain: readonly RuleGrant[],
    unknown: readonly RuleGrant[],
  ): Promise<void> {
    const holder = { type: 'user', id: userId } as const;
    const stored = await findOwnGrants(tx, userId, 'provider');
    const all = [...certain, ...unknown];
    const find = await this.targets.bind(tx, all);
    const certainly = new Set(certain);
    const isAdded = (grant: RuleGrant): boolean => certainly.has(grant) && find(grant).unresolved === null;
    const certainRoles = rolesIn(all.filter(isAdded), find);
    const possibleRoles = rolesIn(
      all.filter((grant) => !isAdded(grant)),
      find,
    );
    const lasting = new Map(
      stored.filter(({ expiresAt }) => expiresAt === null).map((own) => [targetIdOf(own), own]),
    );
    const added = [...certainRoles].flatMap(([key, { target, role }]) => {
      const current = lasting.get(key);
      const possibleRole = possibleRoles.get(key)?.role;
      const keeps =
        current && (current.role === role || (possibleRole && isBetween(current.role, role, possibleRole)));
      return keeps ? [] : [{ ...target, role, expiresAt: null }];
    });
    const undetermined = await this.undeterminedAmong(tx, stored, all, find);
    const removed = stored.flatMap(({ workspaceId, reportId, role }) => {
      const key = targetIdOf({ workspaceId, reportId });
      const possibleRole = possibleRoles.get(key)?.role;
      const isPossible = possibleRole !== undefined && isAtLeast(possibleRole, role);
      if (certainRoles.has(key) || isPossible || undetermined.has(key)) return [];
      return [{ workspaceId, ...(reportId !== null && { reportId }) }];
    });
    await this.grants.set(tx, null, holder, added, 'provider');
    await this.grants.remove(tx, null, holder, removed, 'provider');
  }

  /**
   * The grants that may come from a rule whose workspace or report was never resolved: on the same kind of target, no
   * stronger, and not on a target that another reference is bound to.
   */
  private async undeterminedAmong(
    tx: EntityManager,
    stored: readonly Grant[],
    grants: readonly RuleGrant[],
    find: Find,
  ): Promise<ReadonlySet<string>> {
    const unresolved = grants.filter((grant) => find(grant).target === null);
    const mayComeFrom = (grant: Grant): boolean =>
      unresolved.some(
        ({ report, role }) =>
          (report === undefined) === (grant.reportId === null) && isAtLeast(role, grant.role),
      );
    const keys = stored.filter(mayComeFrom).map(targetIdOf);
    if (keys.length === 0) return new Set();
    const bound = await boundAmong(tx, ['workspace', 'report'], keys);
    return new Set(keys.filter((key) => !bound.has(key)));
  }
}

/** The strongest role for each target. */
function rolesIn(grants: readonly RuleGrant[], find: Find): Roles {
  const roles = new Map<string, Granted>();
  for (const grant of grants) {
    const { target } = find(grant);
    if (target === null) continue;
    const stronger = roles.get(targetIdOf(target));
    if (stronger === undefined || !isAtLeast(stronger.role, grant.role))
      roles.set(targetIdOf(target), { target, role: grant.role });
  }
  return roles;
}

/** At least as strong as the certain role, and no stronger than the possible one. */
const isBetween = (role: WorkspaceRole, certain: WorkspaceRole, possibleRole: WorkspaceRole): boolean =>
  isAtLeast(role, certain) && isAtLeast(possibleRole, role);
