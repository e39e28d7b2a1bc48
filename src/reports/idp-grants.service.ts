import { Injectable, Logger } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { RuleGrant } from '../core/config/sign-in-rules.js';
import type { Target } from '../grants/grant.js';
import { GrantsService } from '../grants/grants.service.js';
import { isAtLeast, type WorkspaceRole } from '../grants/roles.js';
import { findOwnGrants } from '../grants/stored-grants.queries.js';
import { findByReference as findWorkspaces } from '../workspaces/workspaces.queries.js';
import { findByReference as findReports, type ReportReference } from './report-references.queries.js';

interface Granted {
  target: Target;
  role: WorkspaceRole;
}

/** By the id of the report or, for a whole workspace, of the workspace. */
type Roles = ReadonlyMap<string, Granted>;

const keyOf = ({ workspaceId, reportId }: { workspaceId: string; reportId?: string | null }): string =>
  reportId ?? workspaceId;

/** Grants from the identity provider, on workspaces and single reports. Manual grants are not affected. */
@Injectable()
export class IdpGrantsService {
  private readonly logger = new Logger(IdpGrantsService.name);

  constructor(private readonly grants: GrantsService) {}

  /**
   * Applies the `certain` grants, and removes grants that neither `certain` nor `unknown` justifies. `unknown` grants
   * may still apply: they add nothing, but keep what exists.
   */
  async apply(
    tx: EntityManager,
    userId: string,
    certain: readonly RuleGrant[],
    unknown: readonly RuleGrant[],
  ): Promise<void> {
    const holder = { type: 'user', id: userId } as const;
    const had = await findOwnGrants(tx, userId, 'provider');
    const [sure, possible] = [await this.rolesIn(tx, certain), await this.rolesIn(tx, unknown)];
    const lasting = new Map(
      had.filter(({ expiresAt }) => expiresAt === null).map((own) => [keyOf(own), own]),
    );
    const added = [...sure].flatMap(([key, { target, role }]) => {
      const current = lasting.get(key);
      const mayBe = possible.get(key)?.role;
      const keeps = current && (current.role === role || (mayBe && isBetween(current.role, role, mayBe)));
      return keeps ? [] : [{ ...target, role, expiresAt: null }];
    });
    const removed = had.flatMap(({ workspaceId, reportId, role }) => {
      const key = keyOf({ workspaceId, reportId });
      const mayBe = possible.get(key)?.role;
      if (sure.has(key) || (mayBe !== undefined && isAtLeast(mayBe, role))) return [];
      return [{ workspaceId, ...(reportId !== null && { reportId }) }];
    });
    await this.grants.set(tx, null, holder, added, 'provider');
    await this.grants.remove(tx, null, holder, removed, 'provider');
  }

  /** Removes all grants from the identity provider, for example when the identity is unlinked. */
  async removeAll(tx: EntityManager, userId: string): Promise<void> {
    await this.apply(tx, userId, [], []);
  }

  /** Returns the grants whose workspace or report matches nothing or several. */
  async unmatched(manager: EntityManager, grants: readonly RuleGrant[]): Promise<RuleGrant[]> {
    const find = await this.finderOf(manager, grants);
    return grants.filter((grant) => find(grant).length !== 1);
  }

  /** The strongest role for each target. A reference that matches no workspace or report, or several, is ignored. */
  private async rolesIn(tx: EntityManager, grants: readonly RuleGrant[]): Promise<Roles> {
    const roles = new Map<string, Granted>();
    const find = await this.finderOf(tx, grants);
    for (const grant of grants) {
      const [target, ...others] = find(grant);
      if (target === undefined || others.length > 0) {
        const kind = grant.report === undefined ? 'workspace' : 'report';
        this.logger.warn(
          `The ${kind} of a rule does not match exactly one ${kind}: ${grant.report ?? grant.workspace}`,
        );
        continue;
      }
      const stronger = roles.get(keyOf(target));
      if (stronger === undefined || !isAtLeast(stronger.role, grant.role))
        roles.set(keyOf(target), { target, role: grant.role });
    }
    return roles;
  }

  private async finderOf(
    tx: EntityManager,
    grants: readonly RuleGrant[],
  ): Promise<(grant: RuleGrant) => Target[]> {
    const names = [...new Set(grants.flatMap(({ workspace }) => workspace ?? []))];
    const workspaces = names.length === 0 ? [] : await findWorkspaces(tx, names);
    const workspacesOf = ({ workspace }: RuleGrant): string[] =>
      workspaces.filter(({ reference }) => reference === workspace).map(({ id }) => id);
    const referencesOf = (grant: RuleGrant): ReportReference[] => {
      const { workspace, report } = grant;
      if (report === undefined) return [];
      return workspace === undefined
        ? [{ report }]
        : workspacesOf(grant).map((workspaceId) => ({ report, workspaceId }));
    };
    const findReport = await findReports(tx, grants.flatMap(referencesOf));
    return (grant) =>
      grant.report === undefined
        ? workspacesOf(grant).map((workspaceId) => ({ workspaceId }))
        : referencesOf(grant).flatMap(findReport);
  }
}

/** At least as strong as the certain role, and no stronger than the possible one. */
const isBetween = (role: WorkspaceRole, certain: WorkspaceRole, mayBe: WorkspaceRole): boolean =>
  isAtLeast(role, certain) && isAtLeast(mayBe, role);
