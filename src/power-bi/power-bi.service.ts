import type { OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import type { PowerBiConfig } from '../core/config/power-bi.config.js';
import {
  parseDatasets,
  parseEmbedToken,
  parseJson,
  parseList,
  parseReports,
  parseWorkspace,
} from './response-parsers.js';
import { AdminCatalogue } from './admin-catalogue.js';
import { CredentialExpiry } from './credential-expiry.js';
import { type EntraCredential, entraCredential } from './entra-credential.js';
import { EmbedHosts } from './embed-hosts.js';
import { EntraTokens } from './entra-tokens.js';
import { ExportClient } from './export-client.js';
import { checkedId } from './ids.js';
import { defaultLimits } from './limits.js';
import { CatalogueClient } from './catalogue-client.js';
import { MsalNetwork } from './msal-network.js';
import { API_SCOPE, embedTokenBody, PowerBiApi } from './power-bi-api.js';
import { PowerBiHealth } from './power-bi-health.js';
import type {
  CallOptions,
  EmbedTokenRequest,
  PbiDataset,
  PbiEmbedToken,
  PbiReport,
  PbiWorkspace,
  PowerBiStatus,
} from './power-bi.types.js';
import { RefreshClient } from './refresh-client.js';
import { Throttle } from './throttle.js';
import { realTiming } from './timing.js';
import { UpstreamCalls, type UpstreamParts } from './upstream-calls.js';

interface UpstreamState {
  upstream: string;
  running: number;
  breakerOpen: boolean;
}

/** Power BI returns all reports or datasets of a workspace in one unpaged response. */
const LISTS = { maxBytes: 16 * 1024 * 1024 };
const PAGE = 1000;
/** Allowance for network latency when token lifetimes are compared. */
const SLACK_SECONDS = 15;
/** An access token younger than this is not renewed again: a new one would be no better. */
const RENEW_AFTER_SECONDS = 60;

/**
 * Created with the first token request, so that a credential that MSAL rejects fails calls to Power BI, not the
 * startup.
 */
function credentialOf(config: PowerBiConfig, calls: UpstreamCalls): EntraCredential {
  let credential: EntraCredential | undefined;
  return async () => (credential ??= entraCredential(config, new MsalNetwork(calls)))();
}

/**
 * The only access to Power BI. Every method throws a Problem with a `power_bi_*` code, whose `cause` has Microsoft's
 * request id and message, or the reason of `signal` when the caller disconnects.
 */
export class PowerBiService implements OnApplicationShutdown {
  private readonly calls: UpstreamCalls;
  private readonly entraCalls: UpstreamCalls;
  readonly catalogue: CatalogueClient;
  readonly admin: AdminCatalogue;
  readonly refreshes: RefreshClient;
  readonly exports: ExportClient;
  readonly hosts: EmbedHosts;
  private readonly tokens: EntraTokens;
  private readonly api: PowerBiApi;
  private readonly closing = new AbortController();
  private readonly health: PowerBiHealth;

  constructor(
    private readonly config: PowerBiConfig,
    parts: Partial<UpstreamParts> = {},
  ) {
    const clock = parts.clock ?? new Clock();
    const timing = parts.timing ?? realTiming;
    const throttle = new Throttle(clock, timing);
    const all = { clock, timing, throttle, limits: defaultLimits, ...parts };
    this.calls = new UpstreamCalls('power_bi', all);
    this.entraCalls = new UpstreamCalls('entra', all);
    const expiry = new CredentialExpiry(config.credential, clock);
    const credential = credentialOf(config, this.entraCalls);
    this.tokens = new EntraTokens(() => (expiry.log(), credential()), clock, timing);
    this.api = new PowerBiApi(config, this.calls, this.tokens, all.limits.totalMs);
    this.hosts = new EmbedHosts(config);
    this.catalogue = new CatalogueClient(this.api, this.hosts);
    this.admin = new AdminCatalogue(this.api, this.hosts, all.throttle);
    this.refreshes = new RefreshClient(this.api, all.throttle);
    this.exports = new ExportClient(this.api);
    this.calls.breaker.probeWith((signal) => this.api.probe(signal), timing, this.closing.signal);
    this.health = new PowerBiHealth(this.api, this.calls, this.tokens, expiry, clock);
  }

  /** Every workspace in which the service principal has a role, without duplicates, in no particular order. */
  async listWorkspaces(options: CallOptions = {}): Promise<PbiWorkspace[]> {
    const found = new Map<string, PbiWorkspace>();
    for (let skip = 0; ; skip += PAGE) {
      const parse = (body: unknown): PbiWorkspace[] => parseList(body, parseWorkspace);
      const page = await this.api.get(`groups?$top=${PAGE}&$skip=${skip}`, parse, options, LISTS);
      // Insertions and deletions between two pages shift the rows, so one can be returned twice.
      for (const workspace of page) found.set(workspace.pbiWorkspaceId, workspace);
      if (page.length < PAGE) return [...found.values()];
    }
  }

  async listReports(pbiWorkspaceId: string, options: CallOptions = {}): Promise<PbiReport[]> {
    const path = `groups/${checkedId(pbiWorkspaceId)}/reports`;
    return this.api.get(path, (body) => parseReports(body, this.hosts), options, LISTS);
  }

  async listDatasets(pbiWorkspaceId: string, options: CallOptions = {}): Promise<PbiDataset[]> {
    return this.api.get(`groups/${checkedId(pbiWorkspaceId)}/datasets`, parseDatasets, options, LISTS);
  }

  /**
   * Issues an embed token for these reports. It lives for `lifetimeMinutes`, or as long as the access token behind it:
   * at least the configured minimum (or `lifetimeMinutes`, if shorter), unless Entra's own tokens have shorter
   * lifetimes.
   */
  async generateToken(request: EmbedTokenRequest): Promise<PbiEmbedToken> {
    const promised = Math.min(this.config.minimumTokenMinutes, request.lifetimeMinutes) * 60;
    const first = await this.mint(request, promised + SLACK_SECONDS);
    if (first.expiresIn >= promised - SLACK_SECONDS || !this.tokens.canLastFor(promised)) return first;
    // The lifetime is shorter than Entra's expiry implied, so a clock was changed: a new access token corrects it.
    return (await this.tokens.renew(RENEW_AFTER_SECONDS, request.signal)) === undefined
      ? first
      : this.mint(request, 0);
  }

  /** Never throws. Probes Power BI at most every 10 s, with a timeout of 3 s. */
  status(): Promise<PowerBiStatus> {
    return this.health.status();
  }

  /** Running calls and breaker state of Power BI and Entra, for this replica. */
  get upstreams(): UpstreamState[] {
    return [this.calls, this.entraCalls].map(({ upstream, running, breaker }) => ({
      upstream,
      running,
      breakerOpen: breaker.isOpen,
    }));
  }

  /** Seconds left of the current throttle window; 0 without one. */
  pauseSeconds(): Promise<number> {
    return this.calls.throttle.secondsLeft(API_SCOPE);
  }

  async onApplicationShutdown(): Promise<void> {
    this.closing.abort();
    await Promise.all([this.calls.close(), this.entraCalls.close()]);
  }

  private mint(request: EmbedTokenRequest, tokenSeconds: number): Promise<PbiEmbedToken> {
    return this.api.send(
      {
        operation: 'embedding',
        method: 'POST',
        path: 'GenerateToken',
        scope: API_SCOPE,
        body: embedTokenBody(request),
        parse: ({ body, date }) => parseEmbedToken(parseJson(body), date, request.lifetimeMinutes * 60),
        tokenSeconds,
      },
      request,
    );
  }
}
