import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { CacheInvalidationService } from '../core/database/cache-invalidation.service.js';
import { Membership, type WorkspaceRole } from './membership.entity.js';
import { isAtLeast } from './memberships.service.js';

/** A grant as configured in a rule, which refers to the workspace by id, by Power BI id or by name. */
interface ReferredGrant {
  workspace: string;
  role: WorkspaceRole;
}

type Roles = ReadonlyMap<string, WorkspaceRole>;

/** Grants from the identity provider. Manual grants are not affected. */
@Injectable()
export class IdpGrantsService {
  private readonly logger = new Logger(IdpGrantsService.name);

  constructor(
    private readonly audit: AuditService,
    private readonly changes: CacheInvalidationService,
    private readonly clock: Clock,
  ) {}

  /**
   * Applies the `certain` grants, and removes grants that neither `certain` nor `unknown` justifies. `unknown` grants
   * may still apply: they add nothing, but keep what exists.
   */
  async apply(
    tx: EntityManager,
    userId: string,
    certain: readonly ReferredGrant[],
    unknown: readonly ReferredGrant[],
  ): Promise<void> {
    const had = await tx.findBy(Membership, { userId, source: 'provider' });
    const [sure, possible] = [await this.rolesIn(tx, certain), await this.rolesIn(tx, unknown)];
    for (const [workspaceId, role] of sure) {
      const current = had.find((grant) => grant.workspaceId === workspaceId);
      const mayBe = possible.get(workspaceId);
      const keeps = current && (current.role === role || (mayBe && isBetween(current.role, role, mayBe)));
      if (!keeps) await this.set(tx, userId, workspaceId, role);
    }
    for (const { workspaceId, role } of had) {
      if (sure.has(workspaceId)) continue;
      const mayBe = possible.get(workspaceId);
      if (mayBe === undefined || !isAtLeast(mayBe, role)) await this.remove(tx, userId, workspaceId);
    }
  }

  /** Removes all grants from the identity provider, for example when the identity is unlinked. */
  async removeAll(tx: EntityManager, userId: string): Promise<void> {
    await this.apply(tx, userId, [], []);
  }

  /** The strongest role for each workspace. A reference that matches no workspace or several is ignored. */
  private async rolesIn(tx: EntityManager, grants: readonly ReferredGrant[]): Promise<Roles> {
    const roles = new Map<string, WorkspaceRole>();
    if (grants.length === 0) return roles;
    const references = [...new Set(grants.map(({ workspace }) => workspace))];
    const found = await tx.query<{ reference: string; id: string }[]>(
      `SELECT reference, id FROM workspaces JOIN unnest($1::text[]) AS reference
         ON reference = name OR lower(reference) IN (id::text, pbi_workspace_id::text)
       WHERE retired_at IS NULL`,
      [references],
    );
    for (const { workspace, role } of grants) {
      const ids = found.filter(({ reference }) => reference === workspace).map(({ id }) => id);
      const [id] = ids;
      if (id === undefined || ids.length > 1)
        this.logger.warn(`The workspace of a rule does not match exactly one workspace: ${workspace}`);
      else if (!isAtLeast(roles.get(id) ?? 'viewer', role) || !roles.has(id)) roles.set(id, role);
    }
    return roles;
  }

  private async set(
    tx: EntityManager,
    userId: string,
    workspaceId: string,
    role: WorkspaceRole,
  ): Promise<void> {
    const row = { userId, workspaceId, source: 'provider' as const, role, expiresAt: null };
    await tx.upsert(Membership, { ...row, createdAt: this.clock.now() }, ['userId', 'workspaceId', 'source']);
    await this.record(tx, 'grant_set', userId, { workspace_id: workspaceId, role });
  }

  private async remove(tx: EntityManager, userId: string, workspaceId: string): Promise<void> {
    await tx.delete(Membership, { userId, workspaceId, source: 'provider' });
    await this.record(tx, 'grant_removed', userId, { workspace_id: workspaceId });
  }

  private record(
    tx: EntityManager,
    action: 'grant_set' | 'grant_removed',
    userId: string,
    details: Record<string, unknown>,
  ): Promise<void> {
    const target = { type: 'user' as const, id: userId };
    this.changes.publish(tx, 'rights', userId);
    return this.audit.record(tx, {
      action,
      actorId: null,
      target,
      details: { source: 'provider', ...details },
    });
  }
}

/** At least as strong as the certain role, and no stronger than the possible one. */
const isBetween = (role: WorkspaceRole, certain: WorkspaceRole, mayBe: WorkspaceRole): boolean =>
  isAtLeast(role, certain) && isAtLeast(mayBe, role);
