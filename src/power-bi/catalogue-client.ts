import {
  parseCapacity,
  parseGroupCapacity,
  parseList,
  parseProfile,
  parseReport,
  parseWorkspace,
} from './response-parsers.js';
import type { EmbedHosts } from './embed-hosts.js';
import { checkedId } from './ids.js';
import type { PowerBiApi } from './power-bi-api.js';
import type { CallOptions, CapacityState, PbiReport, PbiWorkspace } from './power-bi.types.js';
import { upstreamCause } from './upstream-error.js';

const PAGE = 1000;

/** Reads single catalogue items: workspaces, reports, profiles and capacities. */
export class CatalogueClient {
  constructor(
    private readonly api: PowerBiApi,
    private readonly hosts: EmbedHosts,
  ) {}

  /** Null when Power BI returns 404. Missing access has a different status and throws a Problem. */
  workspace(pbiWorkspaceId: string, options: CallOptions): Promise<PbiWorkspace | null> {
    return nullIfMissing(this.api.get(`groups/${checkedId(pbiWorkspaceId)}`, parseWorkspace, options));
  }

  report(pbiWorkspaceId: string, pbiReportId: string, options: CallOptions): Promise<PbiReport | null> {
    const path = `groups/${checkedId(pbiWorkspaceId)}/reports/${checkedId(pbiReportId)}`;
    return nullIfMissing(this.api.get(path, parseReport(this.hosts), options));
  }

  /** Ids of the profiles that the service principal created. */
  async profiles(options: CallOptions): Promise<string[]> {
    const found = new Set<string>();
    for (let skip = 0; ; skip += PAGE) {
      const path = `profiles?$top=${PAGE}&$skip=${skip}`;
      const page = await this.api.get(path, (body) => parseList(body, parseProfile), options);
      for (const id of page) found.add(id);
      if (page.length < PAGE) return [...found];
    }
  }

  /** Power BI lists only capacities that the principal can assign, so the state of any other capacity is `unknown`. */
  async capacityOf(pbiWorkspaceId: string, options: CallOptions): Promise<CapacityState> {
    const id = await this.api.get(`groups/${checkedId(pbiWorkspaceId)}`, parseGroupCapacity, options);
    if (id === null) return 'shared';
    const capacities = await this.api.get('capacities', (body) => parseList(body, parseCapacity), options);
    return capacities.find((capacity) => capacity.id === id)?.state ?? 'unknown';
  }
}

async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (upstreamCause(error)?.facts.status === 404) return null;
    throw error;
  }
}
