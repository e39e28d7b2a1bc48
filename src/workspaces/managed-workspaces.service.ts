import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import type { Target } from '../access/grants/grant.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import { AuditService } from '../platform/audit/audit.service.js';
import { type Candidate, findCandidates } from './candidates.queries.js';
import type { CandidatesQueryDto } from './dto/candidate.dto.js';
import { grantSortKeys, type ListGrantsQuery } from './dto/target-grant.dto.js';
import type { ChangeWorkspaceSettingsDto } from './dto/workspace.dto.js';
import { listNamedGrants, type NamedGrant } from './target-grants.queries.js';
import { Workspace } from './workspace.entity.js';
import { WorkspaceManagerRequired } from './workspaces.errors.js';
import type { VisibleWorkspace } from './workspaces.queries.js';
import { WorkspacesService } from './workspaces.service.js';

/** What only the managers of a workspace and admins do. */
@Injectable()
export class ManagedWorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly policy: AccessPolicyService,
    private readonly audit: AuditService,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws WorkspaceNotFound if the caller cannot see the workspace, WorkspaceManagerRequired if the caller cannot
   * manage it.
   */
  async require(caller: Principal, workspaceId: string, tx?: EntityManager): Promise<void> {
    // The role first: who loses it between the two reads does not see the workspace either.
    const may = await this.policy.canManage(caller, [workspaceId], tx);
    await this.workspaces.get(caller, workspaceId, tx);
    if (!may) throw new WorkspaceManagerRequired();
  }

  /**
   * Serializes changes to the rights in one workspace. Rights are checked before the lock, so that only managers can
   * take it, and again under it, because the previous change may have removed them.
   */
  async edit<T>(caller: Principal, workspaceId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    await this.require(caller, workspaceId);
    const locked = async (tx: EntityManager): Promise<T> => {
      await tx.findOne(Workspace, {
        where: { id: workspaceId },
        select: { id: true },
        lock: { mode: 'for_no_key_update' },
      });
      await this.require(caller, workspaceId, tx);
      return work(tx);
    };
    return this.database.contendedTransaction(locked);
  }

  /** The people and groups to whom a manager can grant access. Throws WorkspaceNotFound or WorkspaceManagerRequired. */
  async candidates(
    caller: Principal,
    workspaceId: string,
    { q, limit }: CandidatesQueryDto,
  ): Promise<Candidate[]> {
    await this.require(caller, workspaceId);
    return findCandidates(this.database.manager, { caller, now: this.clock.now(), q, limit });
  }

  /**
   * The active grants of people and groups on the workspace or on one report of it. Throws WorkspaceNotFound or
   * WorkspaceManagerRequired.
   */
  async listGrants(
    caller: Principal,
    target: Target,
    { q, ...page }: ListGrantsQuery,
  ): Promise<Page<NamedGrant>> {
    await this.require(caller, target.workspaceId);
    const { manager } = this.database;
    const now = this.clock.now();
    return listPage(
      { name: 'grants', read: (keyset) => listNamedGrants(manager, { target, now, q, keyset }) },
      { reader: caller, ...page, q, keys: grantSortKeys, filters: { ...target } },
      this.cursors,
    );
  }

  /** What is not a setting comes from Power BI. Throws WorkspaceNotFound or WorkspaceManagerRequired. */
  changeSettings(
    caller: Principal,
    id: string,
    changes: ChangeWorkspaceSettingsDto,
  ): Promise<VisibleWorkspace> {
    return this.edit(caller, id, async (tx) => {
      const before = await this.workspaces.get(caller, id, tx);
      const {
        viewers_can_export: viewersCanExport = before.viewersCanExport,
        contact_url: contactUrl = before.contactUrl,
      } = changes;
      const hasNewRight = viewersCanExport !== before.viewersCanExport;
      const hasNewContact = contactUrl !== before.contactUrl;
      if (!hasNewRight && !hasNewContact) return before;
      await tx.update(Workspace, { id }, { viewersCanExport, contactUrl });
      await this.audit.record(tx, {
        action: 'workspace_changed',
        actorId: caller.id,
        target: { type: 'workspace', id },
        details: {
          ...(hasNewRight && {
            diff: { viewers_can_export: { from: before.viewersCanExport, to: viewersCanExport } },
          }),
          // Not its value, which can be the address of a person.
          ...(hasNewContact && { changed: ['contact_url'] }),
        },
      });
      return { ...before, viewersCanExport, contactUrl };
    });
  }
}
