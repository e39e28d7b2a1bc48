import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { execute, queryRows } from '../../core/database/execute.js';
import type { Principal } from '../../core/http/principal.js';
import { walkUp } from '../groups/group-edges.queries.js';
import { groupsOf } from '../groups/groups.queries.js';
import {
  type Holder,
  type NewGrant,
  type ReportAccess,
  rolesAllowing,
  type Target,
  type WorkspaceRole,
  workspaceRoles,
} from './grant.js';
import {
  effectiveGrants,
  effectiveGrantsOn,
  holdersIn,
  managedBy,
  presentHeldBy,
  presentManagedBy,
} from './grants.queries.js';
import { Problem } from '../../core/problems/problem.js';

/** A grant that would keep the grantor's own right after its source has ended. */
class OwnGrant extends Problem {
  constructor(why: string) {
    super('access_denied', `${why} Ask another manager or an administrator.`);
  }
}

type Person = Pick<Principal, 'id' | 'role'>;

/** A role in a workspace, and when it expires. */
export interface EffectiveGrant {
  workspaceId: string;
  role: WorkspaceRole;
  expiresAt: Date | null;
  /** Held through a group, or from a rule or SCIM. */
  isDerived: boolean;
}

/** Of the active grants, the one with the strongest role; among equals, the one that expires last. */
export function effectiveGrant<T extends Pick<EffectiveGrant, 'role' | 'expiresAt'>>(
  grants: readonly T[],
  now: Date,
): T | undefined {
  const lasting = ({ expiresAt }: T): number => expiresAt?.getTime() ?? Infinity;
  return grants
    .filter((grant) => lasting(grant) > now.getTime())
    .toSorted(
      (a, b) => workspaceRoles.indexOf(b.role) - workspaceRoles.indexOf(a.role) || lasting(b) - lasting(a),
    )[0];
}

/** The earlier of two expiry times; null means no expiry. */
const earlier = (a: Date | null, b: Date | null): Date | null =>
  a === null || (b !== null && b < a) ? b : a;

/** Whether a table with a condition, the SQL after `FROM`, has a row. */
async function isAny(tx: EntityManager, from: string, values: unknown[]): Promise<boolean> {
  const { rowCount } = await execute(tx, `SELECT FROM ${from} LIMIT 1`, values);
  return rowCount === 1;
}

/** Decides what a user may do, from all grants: direct ones and those of the user's groups. With `tx`, includes its changes. */
@Injectable()
export class AccessPolicyService {
  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Whether a grant lets the user see the report or, if the target is a workspace, all of its reports. */
  canSee(userId: string, target: Target, tx?: EntityManager): Promise<boolean> {
    return this.hasGrantOn(userId, target, 'view', tx);
  }

  /** Whether the user may edit the report. Always true for admins. */
  async canEdit(person: Person, report: Required<Target>, tx?: EntityManager): Promise<boolean> {
    return person.role === 'admin' || (await this.hasGrantOn(person.id, report, 'edit', tx));
  }

  /** Whether the user manages all of these workspaces. Always true for admins. */
  async canManage(person: Person, workspaceIds: readonly string[], tx?: EntityManager): Promise<boolean> {
    if (person.role === 'admin') return true;
    const managed = await this.managersGrants(person.id, workspaceIds, tx);
    return workspaceIds.every((id) => managed.some(({ workspaceId }) => workspaceId === id));
  }

  /** The workspaces that the user manages; undefined for admins, who manage all. */
  async managedWorkspaces(person: Person): Promise<readonly string[] | undefined> {
    if (person.role === 'admin') return undefined;
    const { rows } = await execute<{ workspace_id: string }>(this.database.manager, managedBy('$1', '$2'), [
      person.id,
      this.clock.now(),
    ]);
    return rows.map(({ workspace_id: id }) => id);
  }

  /**
   * Returns the grants that the grantor may give: those in workspaces that the grantor manages, capped to the expiry of
   * the grantor's own grant. Admins may give all of them. Of rights that last equally long, a direct one counts.
   */
  async capToGrantor<T extends NewGrant>(
    grantor: Person,
    grants: readonly T[],
    tx: EntityManager,
  ): Promise<T[]> {
    if (grantor.role === 'admin') return [...grants];
    const ids = grants.map(({ workspaceId }) => workspaceId);
    const managed = (await this.managersGrants(grantor.id, ids, tx)).toSorted(
      (a, b) => Number(a.isDerived) - Number(b.isDerived),
    );
    return grants.flatMap((grant) => {
      const inWorkspace = managed.filter(({ workspaceId }) => workspaceId === grant.workspaceId);
      const own = effectiveGrant(inWorkspace, this.clock.now());
      if (own === undefined) return [];
      const expiresAt = earlier(own.expiresAt, grant.expiresAt);
      return [{ ...grant, expiresAt, isByDerivedRight: own.isDerived }];
    });
  }

  /**
   * Ensures that a right does not outlast its source: managers give nothing to themselves and, by a derived right, only
   * the role viewer to a group that contains them. Expects grants from `capToGrantor`. Throws OwnGrant.
   */
  async requireOthers(
    grantor: Person,
    holder: Holder,
    grants: readonly NewGrant[],
    tx: EntityManager,
  ): Promise<void> {
    if (grantor.role === 'admin') return;
    if (holder.type === 'user') {
      if (holder.id === grantor.id) throw new OwnGrant('You cannot grant access to yourself.');
      return;
    }
    if (!grants.some(({ role, isByDerivedRight }) => isByDerivedRight === true && role !== 'viewer')) return;
    if (await isAny(tx, `(${groupsOf('$1')}) AS own WHERE group_id = $2`, [grantor.id, holder.id]))
      throw new OwnGrant('You manage this workspace through a group or rule, and are in this group.');
  }

  /**
   * Whether the user has access to anything in a workspace that the manager manages. The workspaces of the manager's
   * grants are read first: they are few.
   */
  isManagedBy(tx: EntityManager, managerId: string, userId: string): Promise<boolean> {
    const now = '$3';
    const given = `${effectiveGrants({ user: '$2', now })} WHERE workspace_id = ANY(ARRAY(${presentManagedBy('$1', now)}))`;
    return isAny(tx, given, [managerId, userId, this.clock.now()]);
  }

  /** Whether the group, or one that contains it, has a grant in a workspace that the manager manages. */
  async isGroupManagedBy(tx: EntityManager, managerId: string, group: string): Promise<boolean> {
    const now = '$3';
    const { groups } = await walkUp(tx, [group]);
    const managed = presentManagedBy('$1', now);
    const given = `(${holdersIn('group_id', managed, now)}) AS granted WHERE group_id = ANY($2::uuid[])`;
    return isAny(tx, given, [managerId, groups, this.clock.now()]);
  }

  /**
   * Whether the holder has a grant in a workspace in which the user has a role, or is a group of the user. Limits which
   * people and groups a manager can find.
   */
  sharesWorkspace(tx: EntityManager, userId: string, { type, id }: Holder): Promise<boolean> {
    const held = presentHeldBy({ user: '$1', now: '$3' });
    const shared =
      type === 'user'
        ? `${effectiveGrants({ user: '$2', now: '$3' })} WHERE workspace_id = ANY(ARRAY(${held}))`
        : `(${holdersIn('group_id', held, '$3')} UNION ${groupsOf('$1')}) AS found WHERE group_id = $2`;
    return isAny(tx, shared, [userId, id, this.clock.now()]);
  }

  private hasGrantOn(
    userId: string,
    { workspaceId, reportId }: Target,
    access: ReportAccess,
    tx: EntityManager = this.database.manager,
  ): Promise<boolean> {
    const granted = effectiveGrantsOn('role', { user: '$1', now: '$2' }, { workspace: '$3', report: '$4' });
    const values = [userId, this.clock.now(), workspaceId, reportId ?? null, rolesAllowing[access]];
    return isAny(tx, `(${granted}) AS granted WHERE role = ANY($5)`, values);
  }

  /** Every active grant by which the user manages one of these workspaces. */
  private managersGrants(
    userId: string,
    workspaceIds: readonly string[],
    tx: EntityManager = this.database.manager,
  ): Promise<EffectiveGrant[]> {
    return queryRows<EffectiveGrant>(
      tx,
      `SELECT workspace_id AS "workspaceId", role, expires_at AS "expiresAt",
         (group_id IS NOT NULL OR source <> 'manual') AS "isDerived"
       FROM ${effectiveGrants({ user: '$1', now: '$2' })}
       WHERE report_id IS NULL AND workspace_id = ANY($3) AND role = 'manager'`,
      [userId, this.clock.now(), workspaceIds],
    );
  }
}
