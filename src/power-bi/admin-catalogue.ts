import { parseJson, parseList, parseWorkspaceContent } from './response-parsers.js';
import type { EmbedHosts } from './embed-hosts.js';
import { checkedId } from './ids.js';
import type { PowerBiApi } from './power-bi-api.js';
import type { CallOptions, PbiWorkspaceContent } from './power-bi.types.js';
import type { Throttle } from './throttle.js';
import { isTooSlow, upstreamCause } from './upstream-error.js';

const SCOPE = 'power_bi_admin';
/** Microsoft's rate limits for `admin/groups`, per tenant. */
const LIMITS = [
  { calls: 15, seconds: 60 },
  { calls: 50, seconds: 3600 },
];
const PAGE = 200;
/** Pages of a smaller size before a larger one is tried: Microsoft may have been slow for a moment only. */
const SMALLER_PAGES = 5;
/** Workspaces that one call requests by id: a longer query may exceed what Microsoft's servers accept. */
const IDS = 20;
const PAGE_BYTES = 64 * 1024 * 1024;
/** Microsoft ends the call after 30 s; the client times out a little later. */
const TRY_MS = 35_000;
const ACTIVE = "type eq 'Workspace' and state eq 'Active'";

interface Page {
  top: number;
  skip: number;
  filter: string;
}

/**
 * Workspaces with their reports and datasets in batches, for tenants with too many workspaces for one call each: from
 * the admin API, which the tenant must enable for service principals. Observes Microsoft's limit of 50 calls an hour.
 */
export class AdminCatalogue {
  constructor(
    private readonly api: PowerBiApi,
    private readonly hosts: EmbedHosts,
    private readonly throttle: Throttle,
  ) {}

  /** Every active workspace of the tenant. Can return one twice. */
  async *list(options: CallOptions = {}): AsyncGenerator<PbiWorkspaceContent> {
    let [size, pages] = [PAGE, 0];
    for (let skip = 0; ;) {
      const page = await this.page({ top: size, skip, filter: ACTIVE }, options);
      if (page === 'too_large') {
        [size, pages] = [Math.ceil(size / 2), 0];
        continue;
      }
      yield* page;
      if (page.length < size) return;
      skip += size;
      pages += 1;
      if (pages % SMALLER_PAGES === 0) size = Math.min(size * 2, PAGE);
    }
  }

  /** Those of the given workspaces that are active. */
  async *find(
    pbiWorkspaceIds: readonly string[],
    options: CallOptions = {},
  ): AsyncGenerator<PbiWorkspaceContent> {
    let size = IDS;
    for (let from = 0; from < pbiWorkspaceIds.length;) {
      const ids = pbiWorkspaceIds.slice(from, from + size);
      const filter = `${ACTIVE} and (${ids.map((id) => `id eq '${checkedId(id)}'`).join(' or ')})`;
      const page = await this.page({ top: ids.length, skip: 0, filter }, options);
      if (page === 'too_large') {
        size = Math.ceil(ids.length / 2);
        continue;
      }
      yield* page;
      from += size;
    }
  }

  private async page(page: Page, options: CallOptions): Promise<PbiWorkspaceContent[] | 'too_large'> {
    try {
      return await this.fetchPage(page, options);
    } catch (error) {
      if (page.top > 1 && isTooLarge(error)) return 'too_large';
      throw error;
    } finally {
      await this.throttle.spend(SCOPE, LIMITS);
    }
  }

  private fetchPage({ top, skip, filter }: Page, options: CallOptions): Promise<PbiWorkspaceContent[]> {
    const query = new URLSearchParams({
      $top: String(top),
      $skip: String(skip),
      $filter: filter,
      $expand: 'reports,datasets',
    });
    return this.api.send(
      {
        operation: 'listing',
        method: 'GET',
        path: `admin/groups?${query.toString()}`,
        scope: SCOPE,
        parse: ({ body }) => parseList(parseJson(body), parseWorkspaceContent(this.hosts)),
        maxBytes: PAGE_BYTES,
        tryMs: TRY_MS,
        totalMs: 2 * TRY_MS,
        isDivisible: top > 1,
      },
      options,
    );
  }
}

/** Whether the response has too many bytes, or takes longer than Microsoft allows. */
function isTooLarge(error: unknown): boolean {
  const cause = upstreamCause(error);
  if (cause?.facts.upstream !== 'power_bi') return false;
  return cause.failure === 'too_large' || isTooSlow(cause);
}
