import { Injectable, Logger } from '@nestjs/common';
import { isDatabaseOutage, isRepeated } from '../core/problems/database-problem.js';
import { Problem } from '../core/problems/problem.js';
import { Config } from '../core/config/config.js';
import type { CallOptions } from '../power-bi/power-bi.types.js';
import {
  CatalogueReconciliationService,
  type StoredContent,
  type WorkspaceContent,
} from './catalogue-reconciliation.service.js';
import { WorkspaceNotStored } from './catalogue.errors.js';
import { inParallel } from './in-parallel.js';
import { SyncLeasesService } from './sync-leases.service.js';
import { Superseded, syncError, type SyncProgress, type WorkspaceOutcome } from './sync-progress.js';
import { type ListedWorkspace, WorkspaceListingService } from './workspace-listing.service.js';

const CHUNK_SIZE = 100;

/** Stored content of listed workspaces, loaded on first use in chunks of CHUNK_SIZE. */
class StoredSnapshot {
  private readonly chunks = new Map<number, Promise<ReadonlyMap<string, StoredContent>>>();

  constructor(
    private readonly listed: readonly ListedWorkspace[],
    private readonly read: (ids: readonly string[]) => Promise<ReadonlyMap<string, StoredContent>>,
  ) {}

  async at(position: number): Promise<StoredContent | undefined> {
    const first = position - (position % CHUNK_SIZE);
    const ids = this.listed.slice(first, first + CHUNK_SIZE).map(({ pbiWorkspaceId }) => pbiWorkspaceId);
    const chunk = this.chunks.get(first) ?? this.read(ids);
    this.chunks.set(first, chunk);
    return (await chunk).get(this.listed[position]?.pbiWorkspaceId ?? '');
  }
}

/** Number of workspaces whose content is fetched concurrently. */
const CONCURRENCY = 8;

/** Content of a workspace in Power BI and in the database. */
interface ContentSource {
  fetch: () => Promise<WorkspaceContent>;
  stored: () => Promise<StoredContent | undefined>;
}

@Injectable()
export class CatalogueSyncService {
  private readonly logger = new Logger(CatalogueSyncService.name);
  private atWork?: SyncProgress;

  constructor(
    private readonly config: Config,
    private readonly leases: SyncLeasesService,
    private readonly listing: WorkspaceListingService,
    private readonly reconciliation: CatalogueReconciliationService,
  ) {}

  /**
   * Executes a queued run, or resumes one that another replica abandoned. A Power BI failure ends the run as `failed`,
   * or as `partial` if it affects only some workspaces; neither removes anything. Any other failure is thrown, and the
   * run can be resumed unless this was the last attempt.
   */
  async run(id: string, isLast = true): Promise<void> {
    const progress = await this.leases.acquire(id);
    if (progress === null) return;
    this.atWork = progress;
    try {
      await (this.config.sync.mode === 'admin' ? this.syncTenant(progress) : this.syncByRole(progress));
      await progress.finish(progress.workspacesFailed > 0 ? 'partial' : 'succeeded');
    } catch (error) {
      if (error instanceof Superseded) return;
      await this.fail(progress, error, isLast && !progress.signal.aborted);
    } finally {
      progress.end();
      this.atWork = undefined;
    }
  }

  /** Stops the running sync, so that another replica can take it over. */
  stop(): void {
    this.atWork?.abandon(new Error('this replica is shutting down'));
  }

  private async fail(progress: SyncProgress, error: unknown, isLast: boolean): Promise<void> {
    if (!isLast && isRepeated(error)) throw error;
    progress.failed(error);
    await progress.finish('failed');
    if (!(error instanceof Problem)) throw error;
    this.logger.warn({ msg: 'catalogue sync failed', err: error });
  }

  /**
   * Syncs all workspaces in which the service principal or a profile has a role, with separate calls for each
   * workspace.
   */
  private async syncByRole(progress: SyncProgress): Promise<void> {
    const listed = await this.listing.list(optionsOf(progress));
    const { unknown, next } = await this.leftOf(listed, progress.checkpoint);
    progress.setTotal(listed.length, unknown.length + next.length);
    // First, with their rows: once its row exists, a workspace before the checkpoint counts as read, also for a second takeover.
    await this.syncEach(unknown, 0, progress);
    await progress.flush();
    progress.addChanges(await this.reconciliation.reconcileWorkspaces(listed, progress));
    await this.syncEach(next, unknown.length, progress);
  }

  /** Syncs workspaces, the first of which has the position `start` in the run. */
  private async syncEach(
    workspaces: readonly ListedWorkspace[],
    start: number,
    progress: SyncProgress,
  ): Promise<void> {
    const contents = new StoredSnapshot(workspaces, (ids) => this.reconciliation.loadSnapshot(ids));
    await inParallel([...workspaces.entries()], CONCURRENCY, async ([index, workspace]) => {
      const sources = {
        fetch: () => this.reconciliation.fetch(workspace, optionsOf(progress)),
        stored: () => contents.at(index),
      };
      const outcome = await this.syncWorkspace(workspace, sources, progress);
      await progress.recordWorkspace(start + index, workspace.pbiWorkspaceId, outcome);
    });
  }

  /** What is not done yet: before the checkpoint what the replica that had the run did not know, and what follows it. */
  private async leftOf(
    listed: readonly ListedWorkspace[],
    checkpoint: string | null,
  ): Promise<{ unknown: readonly ListedWorkspace[]; next: readonly ListedWorkspace[] }> {
    if (checkpoint === null) return { unknown: [], next: listed };
    const before = listed.filter(({ pbiWorkspaceId }) => pbiWorkspaceId <= checkpoint);
    const known = await this.reconciliation.presentAmong(before);
    return {
      unknown: before.filter(({ pbiWorkspaceId }) => !known.has(pbiWorkspaceId)),
      next: listed.filter(({ pbiWorkspaceId }) => pbiWorkspaceId > checkpoint),
    };
  }

  /** Syncs all workspaces of the tenant, many in each call. */
  private async syncTenant(progress: SyncProgress): Promise<void> {
    progress.restart();
    const listed: ListedWorkspace[] = [];
    for await (const found of this.listing.listAsAdmin(optionsOf(progress))) {
      progress.signal.throwIfAborted();
      const { pbiWorkspaceId, name, problem } = found;
      const workspace = { pbiWorkspaceId, name, problem };
      const contents = new StoredSnapshot([workspace], (ids) => this.reconciliation.loadSnapshot(ids));
      const sources = { fetch: () => Promise.resolve(found), stored: () => contents.at(0) };
      const outcome = await this.syncWorkspace(workspace, sources, progress);
      listed.push(workspace);
      progress.setSeen(listed.length);
      await progress.recordWorkspace(listed.length - 1, pbiWorkspaceId, outcome);
    }
    progress.addChanges(await this.reconciliation.reconcileWorkspaces(listed, progress));
    progress.setTotal(listed.length, 0);
  }

  /** A workspace that cannot be fetched or stored keeps its previous content. */
  private async syncWorkspace(
    workspace: ListedWorkspace,
    { fetch, stored }: ContentSource,
    progress: SyncProgress,
  ): Promise<WorkspaceOutcome> {
    try {
      if (workspace.problem !== undefined) throw workspace.problem;
      const content = await fetch();
      const snapshot = await stored();
      if (snapshot !== undefined && this.reconciliation.isStored(content, snapshot)) {
        return { reports: content.reports.length, changes: 0 };
      }
      return await this.reconciliation.write(workspace, content, progress);
    } catch (error) {
      if (isDatabaseOutage(error)) throw error;
      const problem = error instanceof Problem ? error : WorkspaceNotStored.from(error);
      if (problem === undefined) throw error;
      if (problem instanceof WorkspaceNotStored)
        this.logger.error({ msg: 'workspace not stored', err: error });
      return { reports: 0, changes: 0, error: syncError(workspace.pbiWorkspaceId, problem) };
    }
  }
}

const optionsOf = ({ meter, signal }: SyncProgress): CallOptions => ({ meter, signal, patient: true });
