import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { inParallel } from '../../catalogue/in-parallel.js';
import { Clock } from '../../core/clock.js';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { Problem } from '../../core/problems/problem.js';
import { EventsService, type Recorded } from '../../events/outbox/events.service.js';
import { JobsService } from '../../platform/jobs/jobs.service.js';
import { PowerBiService } from '../../power-bi/power-bi.service.js';
import type { CallOptions, PbiRefresh } from '../../power-bi/power-bi.types.js';
import { WHOLE_HISTORY } from '../../power-bi/refresh-client.js';
import { setFreshness } from '../report-freshness.queries.js';
import type { DatasetRefresh } from './dataset-refresh.entity.js';
import {
  deleteStatesBefore,
  type DueDataset,
  findDueDatasets,
  postponeChecks,
  storeStates,
} from './freshness.queries.js';
import {
  endsInNewFailure,
  liveState,
  needsHistory,
  type RefreshState,
  stateOf,
  unknownState,
} from './refresh-state.js';

const DAY_SECONDS = 86_400;
const VIEWED_SECONDS = 7 * DAY_SECONDS;
/** Datasets in one minute, so that syncs and embed tokens keep most of Power BI's rate limit. */
const MAX_CHECKED = 60;
const CONCURRENCY = 2;
/** Failures after which a run ends: Power BI itself is unavailable. */
const MAX_FAILURES = 3;
const RUN_MS = 50_000;
const RUNNING_SECONDS = 60;
const KNOWN_SECONDS = 600;
const OTHER_SECONDS = 3600;

/** Seconds until the next check. */
const intervals = {
  running: RUNNING_SECONDS,
  succeeded: KNOWN_SECONDS,
  failed: KNOWN_SECONDS,
  live: OTHER_SECONDS,
};

/** While Power BI throttles, all further calls fail. */
const isFinal = (error: unknown): boolean =>
  !(error instanceof Problem) || error.code === 'power_bi_throttled';

/** Last refreshes by Power BI's dataset id, from one call for many datasets. */
interface LastRefreshes {
  refreshes: ReadonlyMap<string, PbiRefresh>;
  /** Before the call: what ended later may be missing. */
  at: Date;
}

interface Reading {
  state: RefreshState;
  /** Whether the last refresh failed since the previous check. */
  isNewFailure: boolean;
}

/** Whether Power BI gave no usable response, so that nothing is known about the dataset. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof Problem) || error.code === 'power_bi_unavailable' || error.code === 'power_bi_throttled';

interface Checks {
  checked: DatasetRefresh[];
  /** Ids of datasets that could not be read. */
  postponed: string[];
  /** Ids of datasets whose last refresh failed since the previous check. */
  failed: string[];
}

/** Follows the refreshes of the datasets whose reports are viewed, and copies them to the reports. */
@Injectable()
export class FreshnessService implements OnApplicationBootstrap {
  private readonly logger = new Logger(FreshnessService.name);

  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly powerBi: PowerBiService,
    private readonly jobs: JobsService,
    private readonly clock: Clock,
    private readonly events: EventsService,
  ) {}

  onApplicationBootstrap(): void {
    // Without scheduled syncs the service calls Power BI only when a user does.
    const run = () => (this.config.sync.intervalMinutes > 0 ? this.run() : this.forgetOld());
    this.jobs.repeat('dataset_refreshes', '* * * * *', run);
  }

  /** Checks the datasets that are due. Ends early when Power BI throttles or is unavailable. */
  async run(): Promise<void> {
    await this.forgetOld();
    const due = await findDueDatasets(this.database.manager, {
      now: this.clock.now(),
      viewedSince: this.clock.in(-VIEWED_SECONDS),
      limit: MAX_CHECKED,
    });
    if (due.length > 0) await this.store(await this.check(due));
  }

  private async check(due: readonly DueDataset[]): Promise<Checks> {
    const checks: Checks = { checked: [], postponed: [], failed: [] };
    const options = { signal: AbortSignal.timeout(RUN_MS) };
    const listed = await this.lastRefreshes(options);
    try {
      await inParallel(due, CONCURRENCY, async (dataset) => {
        const { pbiDatasetId } = dataset;
        const last = listed.refreshes.get(pbiDatasetId);
        const checkedAt = last === undefined ? this.clock.now() : listed.at;
        try {
          const { state, isNewFailure } = await this.read(dataset, last, options);
          checks.checked.push({ ...state, pbiDatasetId, checkedAt, nextAt: this.nextAt(state) });
          if (isNewFailure) checks.failed.push(pbiDatasetId);
        } catch (error) {
          // Otherwise a dataset that Power BI cannot read would be the first of every run.
          checks.postponed.push(pbiDatasetId);
          if (isFinal(error) || checks.postponed.length === MAX_FAILURES) throw error;
        }
      });
    } catch (error) {
      if (!(error instanceof Problem) && !options.signal.aborted) throw error;
      this.logger.warn({ msg: 'refreshes of datasets not read; the next run continues', err: error });
    }
    return checks;
  }

  /** Empty unless the catalogue comes from the admin API. */
  private async lastRefreshes(options: CallOptions): Promise<LastRefreshes> {
    const at = this.clock.now();
    if (this.config.sync.mode !== 'admin') return { refreshes: new Map(), at };
    try {
      return { refreshes: await this.powerBi.refreshes.listAsAdmin(options), at };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.logger.warn({ msg: 'refreshables not listed; each dataset is read instead', err: error });
      return { refreshes: new Map(), at };
    }
  }

  /**
   * One call for a dataset, and further ones only when its state changes. Unknown if Power BI does not let the service read
   * the refreshes. Throws `power_bi_unavailable` and `power_bi_throttled`.
   */
  private async read(
    dataset: DueDataset,
    listed: PbiRefresh | undefined,
    options: CallOptions,
  ): Promise<Reading> {
    const { pbiProfileId } = dataset;
    const profile = { ...options, ...(pbiProfileId !== null && { profileId: pbiProfileId }) };
    try {
      const last = listed ?? (await this.history(dataset, 1, profile))[0];
      if (last === undefined)
        return { state: await this.withoutHistory(dataset, profile), isNewFailure: false };
      const whole = needsHistory(last, dataset) ? await this.history(dataset, WHOLE_HISTORY, profile) : [];
      const history = whole.length > 0 ? whole : [last];
      return { state: stateOf(history, dataset), isNewFailure: endsInNewFailure(history, dataset) };
    } catch (error) {
      if (isOutage(error)) throw error;
      return { state: unknownState, isNewFailure: false };
    }
  }

  private history(
    { pbiWorkspaceId, pbiDatasetId }: DueDataset,
    top: number,
    options: CallOptions,
  ): Promise<PbiRefresh[]> {
    return this.powerBi.refreshes.history(pbiWorkspaceId, pbiDatasetId, top, options);
  }

  /** An imported dataset that was never refreshed has no history either. */
  private async withoutHistory(dataset: DueDataset, options: CallOptions): Promise<RefreshState> {
    if (dataset.status === 'live') return liveState;
    const { pbiWorkspaceId, pbiDatasetId } = dataset;
    const isLive = await this.powerBi.refreshes.isLive(pbiWorkspaceId, pbiDatasetId, options);
    return isLive ? liveState : unknownState;
  }

  private async store({ checked, postponed, failed }: Checks): Promise<void> {
    const now = this.clock.now();
    await this.database.transaction(async (tx) => {
      await postponeChecks(tx, postponed, { nextAt: this.clock.in(KNOWN_SECONDS), now });
      await storeStates(tx, checked);
      await setFreshness(tx, checked);
      await this.events.record(tx, failed.map(refreshFailed));
    });
  }

  /** A dataset that is no longer followed would show an old refresh as its last one. */
  private async forgetOld(): Promise<void> {
    await this.database.transaction(async (tx) => {
      const old = await deleteStatesBefore(tx, this.clock.in(-DAY_SECONDS));
      if (old.length === 0) return;
      await setFreshness(
        tx,
        old.map((pbiDatasetId) => ({ ...unknownState, pbiDatasetId })),
        { waits: true },
      );
    });
  }

  private nextAt({ status }: RefreshState): Date {
    return this.clock.in(status === null ? OTHER_SECONDS : intervals[status]);
  }
}

const refreshFailed = (pbiDatasetId: string): Recorded => ({
  type: 'refresh.failed',
  subject: `dataset/${pbiDatasetId}`,
  data: { pbi_dataset_id: pbiDatasetId },
});
