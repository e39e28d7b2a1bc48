import { Injectable, Logger } from '@nestjs/common';
import { bulkhead } from 'cockatiel';
import type { EntityManager } from 'typeorm';
import { DatabaseService } from '../core/database/database.service.js';
import { fingerprint } from '../core/database/fingerprint.js';
import { EventsService, type Recorded } from '../events/outbox/events.service.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { CallOptions, PbiWorkspaceContent } from '../power-bi/power-bi.types.js';
import { type RetiredReport, ReportsService } from '../reports/reports.service.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { DatasetsService } from './datasets.service.js';
import type { SyncProgress, WorkspaceOutcome } from './sync-progress.js';
import { withProfile, type ListedWorkspace } from './workspace-listing.service.js';

const NO_CONTENT = fingerprint([], []);
/** A sync fetches more workspaces at a time, but leaves the connections to requests. */
const MAX_WRITES = 2;

export type WorkspaceContent = Pick<PbiWorkspaceContent, 'reports' | 'datasets'>;

/** Stored content of a workspace, as fingerprints. */
export interface StoredContent {
  reportCount: number;
  reports: string;
  datasets: string;
}

type RunningSync = Pick<SyncProgress, 'startedAt' | 'keep'>;

/** Brings workspaces and their content in line with Power BI. */
@Injectable()
export class CatalogueReconciliationService {
  private readonly logger = new Logger(CatalogueReconciliationService.name);
  private readonly writes = bulkhead(MAX_WRITES, Infinity);

  constructor(
    private readonly database: DatabaseService,
    private readonly powerBi: PowerBiService,
    private readonly workspaces: WorkspacesService,
    private readonly reports: ReportsService,
    private readonly datasets: DatasetsService,
    private readonly events: EventsService,
  ) {}

  /**
   * Applies the complete list: workspaces missing in two syncs in a row are retired with their content. Returns the
   * number of changed rows. Throws Superseded.
   */
  async reconcileWorkspaces(listed: readonly ListedWorkspace[], run: RunningSync): Promise<number> {
    return this.database.transaction(async (tx) => {
      // Retiring a report changes the rows of its grants.
      await DatabaseService.withLongTimeout(tx);
      await run.keep(tx);
      const { changes, retired } = await this.workspaces.reconcile(tx, listed, run.startedAt);
      const reports = await this.reports.retireAll(tx, retired);
      await this.datasets.retireWithWorkspaces(tx);
      await this.events.record(tx, [...retired.map(workspaceRetired), ...reports.map(reportRetired)]);
      return changes;
    });
  }

  async fetch(
    { pbiWorkspaceId, pbiProfileId }: ListedWorkspace,
    options: CallOptions,
  ): Promise<WorkspaceContent> {
    const [reports, datasets] = await Promise.all([
      this.powerBi.listReports(pbiWorkspaceId, withProfile(pbiProfileId, options)),
      this.powerBi.listDatasets(pbiWorkspaceId, withProfile(pbiProfileId, options)),
    ]);
    return { reports, datasets };
  }

  /** The Power BI ids of those that are stored, without missing and retired ones. */
  async presentAmong(listed: readonly ListedWorkspace[]): Promise<ReadonlySet<string>> {
    const present = await this.workspaces.findPresent(listed.map(({ pbiWorkspaceId }) => pbiWorkspaceId));
    return new Set(present.map(({ pbiWorkspaceId }) => pbiWorkspaceId));
  }

  /** Stored content by Power BI id. New, missing and retired workspaces are not included. */
  async loadSnapshot(pbiWorkspaceIds: readonly string[]): Promise<ReadonlyMap<string, StoredContent>> {
    const present = await this.workspaces.findPresent(pbiWorkspaceIds);
    const ids = present.map(({ id }) => id);
    const reports = await this.reports.fingerprints(ids);
    const datasets = await this.datasets.fingerprints(ids);
    return new Map(
      present.map(({ id, pbiWorkspaceId, reportCount }) => [
        pbiWorkspaceId,
        {
          reportCount,
          reports: reports.get(id) ?? NO_CONTENT,
          datasets: datasets.get(id) ?? NO_CONTENT,
        },
      ]),
    );
  }

  /** Whether writing the content would change nothing. `reconcileWorkspaces` updates the row of the workspace itself. */
  isStored({ reports, datasets }: WorkspaceContent, stored: StoredContent): boolean {
    return (
      stored.reportCount === reports.length &&
      stored.reports === this.reports.fingerprintOf(reports) &&
      stored.datasets === this.datasets.fingerprintOf(datasets)
    );
  }

  /**
   * Writes one workspace in one transaction. Locks its row, so that concurrent writes of the same workspace run one
   * after the other. Throws Superseded.
   */
  async write(
    workspace: ListedWorkspace,
    content: WorkspaceContent,
    run: RunningSync,
  ): Promise<WorkspaceOutcome> {
    const changes = await this.writes.execute(() => this.store(workspace, content, run));
    return { reports: content.reports.length, changes };
  }

  private async store(
    workspace: ListedWorkspace,
    { reports, datasets }: WorkspaceContent,
    run: RunningSync,
  ): Promise<number> {
    const { startedAt: syncStartedAt } = run;
    const { changes, moved } = await this.database.transaction(async (tx: EntityManager) => {
      await DatabaseService.withLongTimeout(tx);
      await run.keep(tx);
      const mirrored = await this.workspaces.reconcileOne(tx, workspace, syncStartedAt);
      const inside = await this.reports.reconcile(tx, mirrored.id, reports, syncStartedAt);
      const sources = await this.datasets.reconcile(tx, mirrored.id, datasets, syncStartedAt);
      await this.workspaces.setReportCount(tx, mirrored.id, inside.count);
      const retired = inside.retired.map((id) => ({ id, workspaceId: mirrored.id }));
      await this.events.record(tx, [...retired, ...inside.moved].map(reportRetired));
      return { changes: mirrored.changes + inside.changes + sources.changes, moved: inside.moved };
    });
    // Afterwards, because workspaces are locked before reports.
    for (const id of new Set(moved.map(({ workspaceId }) => workspaceId))) {
      const recount = this.database.transaction(async (tx) =>
        this.workspaces.setReportCount(tx, id, await this.reports.count(tx, id)),
      );
      // The next sync sees that the number is wrong, and corrects it.
      await recount.catch((error: unknown) => this.logger.warn({ msg: 'reports not counted', err: error }));
    }
    return changes;
  }
}

const workspaceRetired = (id: string): Recorded => ({
  type: 'workspace.retired',
  subject: `workspace/${id}`,
  data: { workspace_id: id },
});

const reportRetired = ({ id, workspaceId }: RetiredReport): Recorded => ({
  type: 'report.retired',
  subject: `report/${id}`,
  data: { report_id: id, workspace_id: workspaceId },
});
