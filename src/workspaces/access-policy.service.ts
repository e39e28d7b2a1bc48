import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { effectiveGrants, heldWorkspaces, holdersIn, managedBy } from '../grants/grants.queries.js';
import { walkUp } from '../groups/group-edges.queries.js';
import { groupsOf } from '../groups/groups.queries.js';
import { OwnGrant } from './workspaces.errors.js';
import type { Holder, NewGrant } from '../grants/grant.js';
import type { Grant } from '../grants/grant.entity.js';
import { findMembers } from '../grants/stored-grants.queries.js';
import { isAtLeast, type WorkspaceRole, workspaceRoles } from '../grants/roles.js';

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

/** Decides what a user may do in a workspace, from all grants: direct ones and those of the user's groups. */
@Injectable()
export class AccessPolicyService {
  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Returns every active grant of the user in these workspaces. With `tx`, includes the changes of that transaction. */
  rolesIn(
    userId: string,
    workspaceIds: readonly string[],
    tx: EntityManager = this.database.manager,
  ): Promise<EffectiveGrant[]> {
    return tx.query(
      `SELECT workspace_id AS "workspaceId", role, expires_at AS "expiresAt",
         (group_id IS NOT NULL OR source <> 'manual') AS "isDerived"
       FROM ${effectiveGrants({ user: '$1', now: '$2' })}
       WHERE report_id IS NULL AND workspace_id = ANY($3)`,
      [userId, this.clock.now(), workspaceIds],
    );
  }

  /** Returns the users' own grants in the workspace, expired ones included, in order of expiry. */
  ownGrants(workspaceId: string, userIds: readonly string[], tx?: EntityManager): Promise<Grant[]> {
    return findMembers(tx ?? this.database.manager, workspaceId, userIds);
  }

  /** Whether the user has at least the needed role in all of these workspaces. Always true for admins. */
  async hasRoleInAll(
    person: Person,
    needed: WorkspaceRole,
    workspaceIds: readonly string[],
    tx?: EntityManager,
  ): Promise<boolean> {
    if (person.role === 'admin') return true;
    const grants = await this.rolesIn(person.id, workspaceIds, tx);
    return workspaceIds.every((id) =>
      grants.some((grant) => grant.workspaceId === id && isAtLeast(grant.role, needed)),
    );
  }

  /**
   * Returns the grants that the grantor may give: those in workspaces that the grantor manages, capped to the expiry of
   * the grantor's own grant. Admins may give all of them. Of rights that last equally long, a direct one counts.
   */
  async capToGrantor<T extends NewGrant>(
    giver: Person,
    grants: readonly T[],
    tx: EntityManager,
  ): Promise<T[]> {
    if (giver.role === 'admin') return [...grants];
    const ids = grants.map(({ workspaceId }) => workspaceId);
    const managed = (await this.rolesIn(giver.id, ids, tx))
      .filter(({ role }) => role === 'manager')
      .toSorted((a, b) => Number(a.isDerived) - Number(b.isDerived));
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
    giver: Person,
    holder: Holder,
    grants: readonly NewGrant[],
    tx: EntityManager,
  ): Promise<void> {
    if (giver.role === 'admin') return;
    if (holder.type === 'user') {
      if (holder.id === giver.id) throw new OwnGrant('You cannot grant access to yourself.');
      return;
    }
    if (!grants.some(({ role, isByDerivedRight }) => isByDerivedRight === true && role !== 'viewer')) return;
    const rows = await tx.query<unknown[]>(`SELECT FROM (${groupsOf('$1')}) AS own WHERE group_id = $2`, [
      giver.id,
      holder.id,
    ]);
    if (rows.length > 0)
      throw new OwnGrant('You manage this workspace through a group or rule, and are in this group.');
  }

  /**
   * Whether the user has access to anything in a workspace that the manager manages. The workspaces of the manager's
   * grants are read first: they are few.
   */
  async isManagedBy(tx: EntityManager, managerId: string, userId: string): Promise<boolean> {
    const now = '$3';
    const managed = `SELECT id FROM workspaces WHERE retired_at IS NULL AND id IN (${managedBy('$1', now)})`;
    const rows = await tx.query<unknown[]>(
      `SELECT FROM ${effectiveGrants({ user: '$2', now })} WHERE workspace_id = ANY(ARRAY(${managed})) LIMIT 1`,
      [managerId, userId, this.clock.now()],
    );
    return rows.length > 0;
  }

  /** Whether the group, or one that contains it, has a grant in a workspace that the manager manages. */
  async isGroupManagedBy(tx: EntityManager, managerId: string, group: string): Promise<boolean> {
    const now = '$3';
    const { groups } = await walkUp(tx, [group]);
    const managed = `SELECT id FROM workspaces WHERE retired_at IS NULL AND id IN (${managedBy('$1', now)})`;
    const rows = await tx.query<unknown[]>(
      `SELECT FROM (${holdersIn('group_id', managed, now)}) AS granted WHERE group_id = ANY($2::uuid[]) LIMIT 1`,
      [managerId, groups, this.clock.now()],
    );
    return rows.length > 0;
  }

  /**
   * Whether the holder has a grant in a workspace in which the user has a role, or is a group of the user. Limits which
   * people and groups a manager can find.
   */
  async sharesWorkspace(tx: EntityManager, userId: string, { type, id }: Holder): Promise<boolean> {
    const held = heldWorkspaces({ user: '$1', now: '$3' });
    const text =
      type === 'user'
        ? `${effectiveGrants({ user: '$2', now: '$3' })} WHERE workspace_id = ANY(ARRAY(${held}))`
        : `(${holdersIn('group_id', held, '$3')} UNION ${groupsOf('$1')}) AS found WHERE group_id = $2`;
    const rows = await tx.query<unknown[]>(`SELECT FROM ${text} LIMIT 1`, [userId, id, this.clock.now()]);
    return rows.length > 0;
  }
}
