import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, IsNull, MoreThan, Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { UserGroupsService } from '../groups/user-groups.service.js';
import { Membership, type WorkspaceRole, workspaceRoles } from './membership.entity.js';
import { MemberNotFound } from './workspaces.errors.js';

export interface Grant {
  workspaceId: string;
  role: WorkspaceRole;
  expiresAt: Date | null;
}

export const isAtLeast = (role: WorkspaceRole, needed: WorkspaceRole): boolean =>
  workspaceRoles.indexOf(role) >= workspaceRoles.indexOf(needed);

/** Of the active grants, the one with the strongest role; among equals, the one that expires last. */
export function effectiveGrant(grants: readonly Membership[], now: Date): Membership | undefined {
  const lasting = ({ expiresAt }: Membership): number => expiresAt?.getTime() ?? Infinity;
  return grants
    .filter((grant) => lasting(grant) > now.getTime())
    .toSorted(
      (a, b) => workspaceRoles.indexOf(b.role) - workspaceRoles.indexOf(a.role) || lasting(b) - lasting(a),
    )[0];
}

@Injectable()
export class MembershipsService {
  constructor(
    @InjectRepository(Membership) private readonly memberships: Repository<Membership>,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly groups: UserGroupsService,
  ) {}

  /** Returns active grants, oldest first. With `tx`, includes the changes of that transaction. */
  current(userId: string, tx?: EntityManager): Promise<Membership[]> {
    const valid = { userId, expiresAt: MoreThan(this.clock.now()) };
    return (tx?.getRepository(Membership) ?? this.memberships).find({
      where: [valid, { userId, expiresAt: IsNull() }],
      order: { createdAt: 'ASC', workspaceId: 'ASC' },
    });
  }

  /** Whether the user has an active grant in a workspace that the manager currently manages. */
  async isManagedBy(tx: EntityManager, managerId: string, userId: string): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `SELECT FROM memberships own JOIN memberships theirs USING (workspace_id)
         JOIN workspaces ON workspaces.id = workspace_id AND workspaces.retired_at IS NULL
       WHERE own.user_id = $1 AND own.role = 'manager' AND (own.expires_at IS NULL OR own.expires_at > $3)
         AND theirs.user_id = $2 AND (theirs.expires_at IS NULL OR theirs.expires_at > $3) LIMIT 1`,
      [managerId, userId, this.clock.now()],
    );
    return rows.length > 0;
  }

  /** Returns the grants of these users in a workspace, expired ones included, in order of expiry. */
  historyIn(workspaceId: string, ...userIds: string[]): Promise<Membership[]> {
    return this.memberships.find({
      where: { workspaceId, userId: In(userIds) },
      order: { expiresAt: 'ASC' },
    });
  }

  /** Whether the user has at least the needed role in all of these workspaces. Always true for admins. */
  async hasRoleInAll(
    person: Pick<Principal, 'id' | 'role'>,
    needed: WorkspaceRole,
    workspaceIds: readonly string[],
    tx?: EntityManager,
  ): Promise<boolean> {
    if (person.role === 'admin') return true;
    const grants = await this.current(person.id, tx);
    return workspaceIds.every((id) =>
      grants.some((grant) => grant.workspaceId === id && isAtLeast(grant.role, needed)),
    );
  }

  /**
   * Returns the grants that the grantor may give: those in workspaces that the grantor manages, capped to the expiry of
   * the grantor's own grant. Admins may give all of them.
   */
  async capToGrantor(
    giver: Pick<Principal, 'id' | 'role'>,
    grants: readonly Grant[],
    tx: EntityManager,
  ): Promise<Grant[]> {
    if (giver.role === 'admin') return [...grants];
    const had = await this.current(giver.id, tx);
    return grants.flatMap((grant) => {
      const own = effectiveGrant(
        had.filter(({ workspaceId, role }) => workspaceId === grant.workspaceId && role === 'manager'),
        this.clock.now(),
      );
      return own === undefined ? [] : [{ ...grant, expiresAt: earlier(own.expiresAt, grant.expiresAt) }];
    });
  }

  /** Deletes the manual grant of a user. Throws MemberNotFound. */
  async remove(
    tx: EntityManager,
    by: Pick<Principal, 'id'>,
    workspaceId: string,
    userId: string,
  ): Promise<void> {
    const { affected } = await tx.delete(Membership, { workspaceId, userId, source: 'manual' });
    if (affected === 0) throw new MemberNotFound();
    this.changes.publish(tx, 'rights', userId);
    await this.audit.record(tx, {
      action: 'grant_removed',
      actorId: by.id,
      target: { type: 'user', id: userId },
      details: { workspace_id: workspaceId },
    });
  }

  /** Deletes all grants and group memberships of a removed user. */
  async removeAll(tx: EntityManager, userId: string): Promise<void> {
    await tx.delete(Membership, { userId });
    await this.groups.removeFromAll(tx, userId);
    this.changes.publish(tx, 'rights', userId);
  }

  /**
   * Writes manual grants; each replaces an existing manual grant for the same workspace. Returns the number of grants
   * that changed.
   */
  async grant(
    tx: EntityManager,
    by: Pick<Principal, 'id'>,
    userId: string,
    grants: readonly Grant[],
  ): Promise<number> {
    const createdAt = this.clock.now();
    const had = await tx.findBy(Membership, { userId, source: 'manual' });
    const changed = grants.filter((grant) => !had.some((one) => isSame(one, grant)));
    for (const grant of changed) {
      const row = { userId, source: 'manual' as const, createdAt, ...grant };
      await tx.upsert(Membership, row, ['userId', 'workspaceId', 'source']);
      await this.audit.record(tx, {
        action: 'grant_set',
        actorId: by.id,
        target: { type: 'user', id: userId },
        details: { workspace_id: grant.workspaceId, role: grant.role, expires_at: grant.expiresAt },
      });
    }
    if (changed.length > 0) this.changes.publish(tx, 'rights', userId);
    return changed.length;
  }
}

/** The earlier of two expiry times; null means no expiry. */
const earlier = (a: Date | null, b: Date | null): Date | null =>
  a === null || (b !== null && b < a) ? b : a;

const isSame = (had: Membership, grant: Grant): boolean =>
  had.workspaceId === grant.workspaceId &&
  had.role === grant.role &&
  had.expiresAt?.getTime() === grant.expiresAt?.getTime();
