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
import { BreakerProbe } from './breaker-probe.js';
import { CredentialExpiry } from './credential-expiry.js';
import { type EntraCredential, entraCredential } from './entra-credential.js';
import { EmbedHosts } from './embed-hosts.js';
import { EntraTokens } from './entra-tokens.js';
import { checkedId } from './ids.js';
import { defaultLimits } from './limits.js';
import { CatalogueClient } from './catalogue-client.js';
import { MsalNetwork } from './msal-network.js';
import { ProcessThrottleWindows } from './throttle-windows.js';
import { API_SCOPE, PowerBiApi } from './power-bi-api.js';
import { PowerBiHealth } from './power-bi-health.js';
import type {
  CallOptions,
  EmbedTokenRequest,
  PbiDataset,
  PbiEmbedToken,
  PbiReport,
  PbiWorkspace,
  PbiWorkspaceContent,
  PowerBiStatus,
} from './power-bi.types.js';
import { realTiming } from './timing.js';
import { UpstreamCalls, type UpstreamParts } from './upstream-calls.js';

export interface UpstreamState {
  upstream: string;
  running: number;
  breakerOpen: boolean;
}

const MB = 1024 * 1024;
/** The reports or datasets of a workspace come in one piece, however many there are. */
const LIST_BYTES = 16 * MB;
const PAGE = 1000;
/** What the way there and back may take off a token's life. */
const SLACK_SECONDS = 15;
/** A second token for the same reason would be no better than the first. */
const RENEW_AFTER_SECONDS = 60;

/** Made with the first token: a credential that MSAL rejects fails calls to Power BI, not the start. */
function credentialOf(config: PowerBiConfig, calls: UpstreamCalls): EntraCredential {
  let credential: EntraCredential | undefined;
  return async () => (credential ??= entraCredential(config, new MsalNetwork(calls)))();
}

/**
 * The one way to Power BI. Every method throws a Problem with a `power_bi_*` code (its `cause` has Microsoft's request
 * id and words), or the reason of `signal` when the caller went away.
 */
export class PowerBiService implements OnApplicationShutdown {
  private readonly calls: UpstreamCalls;
  private readonly entraCalls: UpstreamCalls;
  /** Single things, asked for by their ids. */
  readonly catalogue: CatalogueClient;
  private readonly hosts: EmbedHosts;
  private readonly tokens: EntraTokens;
  private readonly api: PowerBiApi;
  private readonly probe: BreakerProbe;
  private readonly health: PowerBiHealth;
  private readonly admin: AdminCatalogue;

  constructor(
    private readonly config: PowerBiConfig,
    parts: Partial<UpstreamParts> = {},
  ) {
    const clock = parts.clock ?? new Clock();
    const all = {
      clock,
      timing: realTiming,
      pauses: new ProcessThrottleWindows(clock),
      limits: defaultLimits,
      ...parts,
    };
    this.calls = new UpstreamCalls('power_bi', all);
    this.entraCalls = new UpstreamCalls('entra', all);
    const expiry = new CredentialExpiry(config.credential, clock);
    const credential = credentialOf(config, this.entraCalls);
    this.tokens = new EntraTokens(() => (expiry.log(), credential()), clock, all.timing);
    this.api = new PowerBiApi(config, this.calls, this.tokens, all.limits.totalMs);
    this.hosts = new EmbedHosts(config);
    this.catalogue = new CatalogueClient(this.api, this.hosts);
    this.probe = new BreakerProbe(this.calls, all.timing, (signal) => this.api.probe(signal));
    this.health = new PowerBiHealth(this.api, this.calls, this.tokens, expiry, clock);
    this.admin = new AdminCatalogue(this.api, this.hosts, all);
  }

  /** Every workspace that the service principal has a role in, each once, in no particular order. */
  async listWorkspaces(options: CallOptions = {}): Promise<PbiWorkspace[]> {
    const found = new Map<string, PbiWorkspace>();
    for (let skip = 0; ; skip += PAGE) {
      const parse = (body: unknown): PbiWorkspace[] => parseList(body, parseWorkspace);
      const page = await this.list(`groups?$top=${PAGE}&$skip=${skip}`, parse, options);
      // Rows that come or go between two pages shift the next one: some come twice.
      for (const workspace of page) found.set(workspace.pbiWorkspaceId, workspace);
      if (page.length < PAGE) return [...found.values()];
    }
  }

  async listReports(pbiWorkspaceId: string, options: CallOptions = {}): Promise<PbiReport[]> {
    const path = `groups/${checkedId(pbiWorkspaceId)}/reports`;
    return this.list(path, (body) => parseReports(body, this.hosts), options);
  }

  async listDatasets(pbiWorkspaceId: string, options: CallOptions = {}): Promise<PbiDataset[]> {
    return this.list(`groups/${checkedId(pbiWorkspaceId)}/datasets`, parseDatasets, options);
  }

  /**
   * Every workspace of the tenant with its reports and datasets, by the admin API, which the tenant must allow the
   * service principal. May name a workspace twice. Keeps to Microsoft's 50 calls an hour.
   */
  listWorkspacesAsAdmin(options: CallOptions = {}): AsyncIterable<PbiWorkspaceContent> {
    return this.admin.list(options);
  }

  /**
   * A token that the browser may show these reports with. It lives for `lifetimeMinutes`, or for as long as the access
   * token behind it: never less than the promised minimum (or `lifetimeMinutes`, if that is shorter), unless Entra
   * itself gives only shorter lives.
   */
  async generateToken(asked: EmbedTokenRequest): Promise<PbiEmbedToken> {
    const promised = Math.min(this.config.minimumTokenMinutes, asked.lifetimeMinutes) * 60;
    const first = await this.mint(asked, promised + SLACK_SECONDS);
    if (first.expiresIn >= promised - SLACK_SECONDS || !this.tokens.canLastFor(promised)) return first;
    // Less than Entra had told us: a clock was moved. A new access token sets it right.
    return (await this.tokens.renew(RENEW_AFTER_SECONDS, asked.signal)) === undefined
      ? first
      : this.mint(asked, 0);
  }

  /** Never throws. Asks Power BI at most every few seconds, and no longer than a few. */
  status(): Promise<PowerBiStatus> {
    return this.health.status();
  }

  /** How the calls to each of the two are operation, as this replica sees it. */
  get upstreams(): UpstreamState[] {
    return [this.calls, this.entraCalls].map(({ upstream, running, breaker }) => ({
      upstream,
      running,
      breakerOpen: breaker.isOpen,
    }));
  }

  /** Seconds for which Power BI asked not to be asked; 0 without a pause. */
  pauseSeconds(): Promise<number> {
    return this.calls.throttle.secondsLeft(API_SCOPE);
  }

  async onApplicationShutdown(): Promise<void> {
    this.probe.stop();
    await Promise.all([this.calls.close(), this.entraCalls.close()]);
  }

  private list<T>(path: string, parse: (body: unknown) => T[], options: CallOptions): Promise<T[]> {
    return this.api.send(
      {
        operation: 'listing',
        method: 'GET',
        path,
        scope: API_SCOPE,
        parse: ({ body }) => parse(parseJson(body)),
        maxBytes: LIST_BYTES,
      },
      options,
    );
  }

  private mint(asked: EmbedTokenRequest, tokenSeconds: number): Promise<PbiEmbedToken> {
    return this.api.send(
      {
        operation: 'embedding',
        method: 'POST',
        path: 'GenerateToken',
        scope: API_SCOPE,
        body: embedTokenBody(asked),
        parse: ({ body, date }) => parseEmbedToken(parseJson(body), date, asked.lifetimeMinutes * 60),
        tokenSeconds,
      },
      asked,
    );
  }
}

const embedTokenBody = (asked: EmbedTokenRequest): string =>
  JSON.stringify({
    reports: asked.reports.map((id) => ({ id: checkedId(id), allowEdit: asked.allowEdit })),
    datasets: asked.datasets.map((id) => ({ id: checkedId(id) })),
    targetWorkspaces: asked.targetWorkspaces?.map((id) => ({ id: checkedId(id) })),
    identities: asked.identities.length > 0 ? asked.identities : undefined,
    lifetimeInMinutes: asked.lifetimeMinutes,
  });
