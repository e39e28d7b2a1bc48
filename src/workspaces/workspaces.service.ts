import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, type EntityManager, IsNull, Not, Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import { reconcile, type ReconcileResult } from '../core/database/reconcile.js';
import { ListWorkspacesQuery, workspaceSortKeys } from './dto/workspace.dto.js';
import { Workspace } from './workspace.entity.js';
import { WorkspaceNotFound } from './workspaces.errors.js';
import { findVisible, listWorkspaces, type VisibleWorkspace } from './workspaces.queries.js';

type ReconciledWorkspace = Pick<Workspace, 'pbiWorkspaceId' | 'name'> &
  Partial<Pick<Workspace, 'pbiProfileId'>>;

@Injectable()
export class WorkspacesService {
  constructor(
    @InjectRepository(Workspace) private readonly workspaces: Repository<Workspace>,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  list(caller: Principal, { q, ...page }: ListWorkspacesQuery): Promise<Page<VisibleWorkspace>> {
    const { manager } = this.workspaces;
    const now = this.clock.now();
    return listPage(
      { name: 'workspaces', read: (keyset) => listWorkspaces(manager, { caller, now, q, keyset }) },
      { reader: caller, ...page, q, keys: workspaceSortKeys },
      this.cursors,
    );
  }

  /** Throws WorkspaceNotFound, also for a workspace that the caller may not see. */
  async get(caller: Principal, id: string, tx?: EntityManager): Promise<VisibleWorkspace> {
    const [workspace] = await this.visibleOf(caller, [id], tx);
    if (workspace === undefined) throw new WorkspaceNotFound();
    return workspace;
  }

  /** Returns those of the given ids that the caller may see. */
  async visibleAmong(
    caller: Principal,
    ids: readonly string[],
    tx?: EntityManager,
  ): Promise<ReadonlySet<string>> {
    if (ids.length === 0) return new Set();
    const found = await this.visibleOf(caller, ids, tx);
    return new Set(found.map((workspace) => workspace.id));
  }

  /**
   * For the catalogue sync: brings all workspaces in line with Power BI. Returns the number of changes and the retired
   * ids, whose reports the caller retires, too.
   */
  async reconcile(
    tx: EntityManager,
    found: readonly ReconciledWorkspace[],
    began: Date,
  ): Promise<ReconcileResult> {
    const result = await this.restore(tx, await tx.find(Workspace), found, began);
    if (result.retired.length > 0)
      await tx.update(Workspace, { id: Any(result.retired) }, { reportCount: 0 });
    return result;
  }

  /**
   * Reconciles one workspace and locks its row until the transaction ends, but so that grants in it do not wait. Other
   * workspaces are not changed.
   */
  async reconcileOne(
    tx: EntityManager,
    found: ReconciledWorkspace,
    began: Date,
  ): Promise<ReconcileResult & { id: string }> {
    const { pbiWorkspaceId } = found;
    const stored = await tx.find(Workspace, {
      where: { pbiWorkspaceId },
      lock: { mode: 'for_no_key_update' },
    });
    const result = await this.restore(tx, stored, [found], began);
    const { id } = await tx.findOneByOrFail(Workspace, { pbiWorkspaceId });
    return { ...result, id };
  }

  /** All workspaces that are not retired, regardless of the caller's rights. */
  all(): Promise<Workspace[]> {
    return this.workspaces.findBy({ retiredAt: IsNull() });
  }

  /** Returns those of the given workspaces that are not retired, ordered by name, regardless of the caller's rights. */
  async findByIds(ids: readonly string[]): Promise<Workspace[]> {
    if (ids.length === 0) return [];
    return this.workspaces.find({
      where: { id: Any([...ids]), retiredAt: IsNull() },
      order: { nameKey: 'ASC', id: 'ASC' },
    });
  }

  /** Returns those of the given workspaces (Power BI ids) that are neither missing nor retired. */
  findPresent(pbiWorkspaceIds: readonly string[]): Promise<Workspace[]> {
    const where = { pbiWorkspaceId: Any([...pbiWorkspaceIds]), retiredAt: IsNull(), missingSince: IsNull() };
    return this.workspaces.findBy(where);
  }

  /** Does not check visibility: for operations that were already authorized on something in the workspace. */
  find(id: string): Promise<Workspace | null> {
    return this.workspaces.findOneBy({ id });
  }

  /** Writes the count only if it differs. Returns whether it did. */
  async setReportCount(tx: EntityManager, id: string, reportCount: number): Promise<boolean> {
    const { affected } = await tx.update(Workspace, { id, reportCount: Not(reportCount) }, { reportCount });
    return affected === 1;
  }

  private restore(
    tx: EntityManager,
    stored: Workspace[],
    found: readonly ReconciledWorkspace[],
    began: Date,
  ): Promise<ReconcileResult> {
    const fields = found.map(({ pbiWorkspaceId, name, pbiProfileId }) => ({
      pbiWorkspaceId,
      name,
      ...(pbiProfileId !== undefined && { pbiProfileId }),
    }));
    const now = this.clock.now();
    return reconcile(tx, {
      entity: Workspace,
      stored,
      found: fields,
      key: 'pbiWorkspaceId',
      now,
      syncStartedAt: began,
    });
  }

  private visibleOf(
    caller: Principal,
    ids: readonly string[],
    tx: EntityManager = this.workspaces.manager,
  ): Promise<VisibleWorkspace[]> {
    return findVisible(tx, caller, this.clock.now(), ids);
  }
}
