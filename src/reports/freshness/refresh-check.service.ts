import { Injectable, Logger } from '@nestjs/common';
import { Config } from '../../core/config/config.js';
import { Problem } from '../../core/problems/problem.js';
import { PowerBiService } from '../../power-bi/power-bi.service.js';
import type { CallOptions, PbiRefresh } from '../../power-bi/power-bi.types.js';
import { WHOLE_HISTORY } from '../../power-bi/refresh-client.js';
import type { DueDataset } from './freshness.queries.js';
import { liveState, needsHistory, type RefreshState, stateOf, unknownState } from './refresh-state.js';

/** Last refreshes by Power BI's dataset id, from one call for many datasets. */
export type LastRefreshes = ReadonlyMap<string, PbiRefresh>;

/** Whether Power BI gave no usable response, so that nothing is known about the dataset. */
const isOutage = (error: unknown): boolean =>
  !(error instanceof Problem) || error.code === 'power_bi_unavailable' || error.code === 'power_bi_throttled';

/** Reads the refreshes of datasets from Power BI. */
@Injectable()
export class RefreshCheckService {
  private readonly logger = new Logger(RefreshCheckService.name);

  constructor(
    private readonly config: Config,
    private readonly powerBi: PowerBiService,
  ) {}

  /** Empty unless the catalogue comes from the admin API. */
  async lastRefreshes(options: CallOptions): Promise<LastRefreshes> {
    if (this.config.sync.mode !== 'admin') return new Map();
    try {
      return await this.powerBi.refreshes.listAsAdmin(options);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.logger.warn({ msg: 'refreshables not listed; each dataset is read instead', err: error });
      return new Map();
    }
  }

  /**
   * One call for a dataset, and further ones only when its state changes. Unknown if Power BI does not let the service read
   * the refreshes. Throws `power_bi_unavailable` and `power_bi_throttled`.
   */
  async check(dataset: DueDataset, listed: LastRefreshes, options: CallOptions): Promise<RefreshState> {
    const { pbiDatasetId, pbiProfileId } = dataset;
    const profile = { ...options, ...(pbiProfileId !== null && { profileId: pbiProfileId }) };
    try {
      const last = listed.get(pbiDatasetId) ?? (await this.history(dataset, 1, profile))[0];
      if (last === undefined) return await this.withoutHistory(dataset, profile);
      if (!needsHistory(last, dataset)) return stateOf([last], dataset);
      const history = await this.history(dataset, WHOLE_HISTORY, profile);
      return stateOf(history.length > 0 ? history : [last], dataset);
    } catch (error) {
      if (isOutage(error)) throw error;
      return unknownState;
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
}
