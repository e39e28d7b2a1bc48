import { Injectable, Logger } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { Problem } from '../common/problem.js';
import { Database } from '../database/database.service.js';
import { PowerBi } from '../power-bi/power-bi.service.js';
import { ReportsService } from '../reports/reports.service.js';
import type { Workspace } from '../workspaces/workspace.entity.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { DatasetsService } from './datasets.service.js';
import { inParallel } from './in-parallel.js';
import { SyncProgress } from './sync-progress.js';
import { SyncRun } from './sync-run.entity.js';

/** Workspaces whose content is fetched at the same time. */
const CONCURRENCY = 8;

@Injectable()
export class CatalogueSync {
  private readonly logger = new Logger(CatalogueSync.name);

  constructor(
    @InjectRepository(SyncRun) private readonly runs: Repository<SyncRun>,
    private readonly database: Database,
    private readonly powerBi: PowerBi,
    private readonly workspaces: WorkspacesService,
    private readonly reports: ReportsService,
    private readonly datasets: DatasetsService,
    private readonly clock: Clock,
  ) {}

  /**
   * Carries out a queued run, or one that another replica left behind. A failure of Power BI ends the run as `failed`
   * or, where it was some workspaces only, as `partial`; neither removes anything.
   */
  async run(id: string): Promise<void> {
    const claimed = await this.runs.update(
      { id, status: In(['queued', 'running']) },
      { status: 'running', startedAt: this.clock.now(), heartbeatAt: this.clock.now() },
    );
    if (claimed.affected === 0) return;
    const progress = new SyncProgress(this.runs, id, this.clock);
    try {
      await this.mirrorAll(progress);
      await progress.finish(progress.workspacesFailed > 0 ? 'partial' : 'succeeded');
    } catch (error) {
      progress.failed(null, error);
      await progress.finish('failed');
      if (!(error instanceof Problem)) throw error;
      this.logger.warn({ msg: 'catalogue sync failed', err: error });
    }
  }

  private async mirrorAll(progress: SyncProgress): Promise<void> {
    const found = await this.powerBi.listWorkspaces({ meter: progress.meter, patient: true });
    const { workspaces, changes } = await this.database.transaction(async (tx) => {
      const result = await this.workspaces.mirror(tx, found);
      await this.reports.retireAll(tx, result.retired);
      return result;
    });
    const present = new Set(found.map(({ pbiWorkspaceId }) => pbiWorkspaceId));
    const listed = workspaces.filter(({ pbiWorkspaceId }) => present.has(pbiWorkspaceId));
    progress.saw(listed.length, changes);
    await inParallel(listed, CONCURRENCY, (workspace) => this.mirrorOne(workspace, progress));
  }

  /** A workspace whose listing failed keeps what it had. */
  private async mirrorOne({ id, pbiWorkspaceId }: Workspace, progress: SyncProgress): Promise<void> {
    try {
      const options = { meter: progress.meter, patient: true };
      const reports = await this.powerBi.listReports(pbiWorkspaceId, options);
      const datasets = await this.powerBi.listDatasets(pbiWorkspaceId, options);
      const changes = await this.database.transaction(async (tx) => {
        const mirrored = await this.reports.mirror(tx, id, reports);
        const { changes } = await this.datasets.mirror(tx, id, datasets);
        await this.workspaces.setReportCount(tx, id, mirrored.count);
        return mirrored.changes + changes;
      });
      await progress.did(reports.length, changes);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      progress.failed(pbiWorkspaceId, error);
    }
  }
}
