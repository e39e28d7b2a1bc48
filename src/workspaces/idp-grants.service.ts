import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { GrantsService } from '../grants/grants.service.js';
import { isAtLeast, type WorkspaceRole } from '../grants/roles.js';
import { findOwnGrants } from '../grants/stored-grants.queries.js';

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
    private readonly grants: GrantsService,
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
    const holder = { type: 'user', id: userId } as const;
    const had = await findOwnGrants(tx, userId, this.clock.now(), 'provider');
    const [sure, possible] = [await this.rolesIn(tx, certain), await this.rolesIn(tx, unknown)];
    for (const [workspaceId, role] of sure) {
      const current = had.find((grant) => grant.workspaceId === workspaceId);
      const mayBe = possible.get(workspaceId);
      const keeps = current && (current.role === role || (mayBe && isBetween(current.role, role, mayBe)));
      if (!keeps)
        await this.grants.set(tx, null, holder, [{ workspaceId, role, expiresAt: null }], 'provider');
    }
    for (const { workspaceId, role } of had) {
      if (sure.has(workspaceId)) continue;
      const mayBe = possible.get(workspaceId);
      if (mayBe === undefined || !isAtLeast(mayBe, role))
        await this.grants.remove(tx, null, holder, { workspaceId }, 'provider');
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
}

/** At least as strong as the certain role, and no stronger than the possible one. */
const isBetween = (role: WorkspaceRole, certain: WorkspaceRole, mayBe: WorkspaceRole): boolean =>
  isAtLeast(role, certain) && isAtLeast(mayBe, role);
