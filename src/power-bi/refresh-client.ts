import { checkedId } from './ids.js';
import type { PowerBiApi } from './power-bi-api.js';
import type { CallOptions, PbiRefresh } from './power-bi.types.js';
import { parseJson, parseList, parseRefresh, parseRefreshable } from './response-parsers.js';
import type { Throttle } from './throttle.js';
import { upstreamCause } from './upstream-error.js';

const ADMIN_SCOPE = 'power_bi_refreshables';
/** Microsoft's rate limit for `admin/capacities/refreshables`, per tenant. */
const ADMIN_LIMITS = [{ calls: 200, seconds: 3600 }];
const PAGE = 1000;
/** Microsoft keeps 60 refreshes of a dataset. */
export const WHOLE_HISTORY = 60;

const statusOf = (error: unknown): number | undefined => upstreamCause(error)?.facts.status;

/** Reads when datasets were refreshed. */
export class RefreshClient {
  constructor(
    private readonly api: PowerBiApi,
    private readonly throttle: Throttle,
  ) {}

  /** The last refreshes of a dataset, newest first. Empty for a dataset that is never refreshed. */
  async history(
    pbiWorkspaceId: string,
    pbiDatasetId: string,
    top: number,
    options: CallOptions,
  ): Promise<PbiRefresh[]> {
    const path = `${datasetPath(pbiWorkspaceId, pbiDatasetId)}/refreshes?$top=${top}`;
    try {
      return await this.api.get(path, (body) => parseList(body, parseRefresh), options);
    } catch (error) {
      // "Invalid dataset. This API can only be called on a Model-based dataset": a live connection.
      if (statusOf(error) === 400 || statusOf(error) === 415) return [];
      throw error;
    }
  }

  /** Whether the dataset queries its source directly. Only such datasets have this schedule, which has default values. */
  async isLive(pbiWorkspaceId: string, pbiDatasetId: string, options: CallOptions): Promise<boolean> {
    const path = `${datasetPath(pbiWorkspaceId, pbiDatasetId)}/directQueryRefreshSchedule`;
    try {
      await this.api.get(path, () => true, options);
      return true;
    } catch (error) {
      const status = statusOf(error);
      if (status === 400 || status === 404 || status === 415) return false;
      throw error;
    }
  }

  /** The last refresh of each refreshed dataset of the tenant that is on a capacity, from the admin API. */
  async listAsAdmin(options: CallOptions): Promise<Map<string, PbiRefresh>> {
    const found = new Map<string, PbiRefresh>();
    for (let skip = 0; ; skip += PAGE) {
      const page = await this.page(skip, options);
      for (const { pbiDatasetId, last } of page) if (last !== null) found.set(pbiDatasetId, last);
      if (page.length < PAGE) return found;
    }
  }

  private async page(skip: number, options: CallOptions) {
    try {
      return await this.api.send(
        {
          operation: 'listing',
          method: 'GET',
          path: `admin/capacities/refreshables?$top=${PAGE}&$skip=${skip}`,
          scope: ADMIN_SCOPE,
          parse: ({ body }) => parseList(parseJson(body), parseRefreshable),
          maxBytes: 16 * 1024 * 1024,
        },
        options,
      );
    } finally {
      await this.throttle.spend(ADMIN_SCOPE, ADMIN_LIMITS);
    }
  }
}

const datasetPath = (pbiWorkspaceId: string, pbiDatasetId: string): string =>
  `groups/${checkedId(pbiWorkspaceId)}/datasets/${checkedId(pbiDatasetId)}`;
