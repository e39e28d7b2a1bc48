import type { OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '../common/clock.js';
import { requestId } from '../common/request-context.js';
import type { PowerBiConfig } from '../config/power-bi.config.js';
import {
  MalformedAnswer,
  parseDataset,
  parseEmbedToken,
  parseJson,
  parseList,
  parseReport,
  parseWorkspace,
} from './answers.js';
import { entraCredential } from './entra-credential.js';
import { EntraTokens } from './entra-tokens.js';
import { checkedId } from './ids.js';
import { MsalNetwork } from './msal-network.js';
import type {
  CallOptions,
  EmbedTokenRequest,
  PbiDataset,
  PbiEmbedToken,
  PbiReport,
  PbiWorkspace,
  PowerBiStatus,
} from './power-bi.types.js';
import { type Doing, translate } from './translate.js';
import { type UpstreamAnswer, UpstreamHttp, type UpstreamRequest } from './upstream-http.js';

/** Lists of one workspace come in one piece, however many there are. */
const LIST_BYTES = 16 * 1024 * 1024;
const PAGE = 1000;

/**
 * The one way to Power BI. Every method throws a Problem with a `power_bi_*` code (its `cause` has Microsoft's request
 * id and words), or the reason of `signal` when the caller went away.
 */
export class PowerBi implements OnModuleDestroy {
  private readonly http: UpstreamHttp;
  private readonly entraHttp: UpstreamHttp;
  private readonly tokens: EntraTokens;

  constructor(
    private readonly config: PowerBiConfig,
    clock: Clock,
  ) {
    this.http = new UpstreamHttp('power_bi', clock);
    this.entraHttp = new UpstreamHttp('entra', clock);
    this.tokens = new EntraTokens(entraCredential(config, new MsalNetwork(this.entraHttp)), clock);
  }

  /** Every workspace that the service principal has a role in, each once, in no particular order. */
  async listWorkspaces(options: CallOptions = {}): Promise<PbiWorkspace[]> {
    const found = new Map<string, PbiWorkspace>();
    for (let skip = 0; ; skip += PAGE) {
      const page = await this.list(`groups?$top=${PAGE}&$skip=${skip}`, parseWorkspace, options);
      // Rows that come or go between two pages shift the next one: some come twice.
      for (const workspace of page) found.set(workspace.pbiWorkspaceId, workspace);
      if (page.length < PAGE) return [...found.values()];
    }
  }

  async listReports(pbiWorkspaceId: string, options: CallOptions = {}): Promise<PbiReport[]> {
    const path = `groups/${checkedId(pbiWorkspaceId)}/reports`;
    return this.list(path, parseReport(this.config.embedHosts), options);
  }

  async listDatasets(pbiWorkspaceId: string, options: CallOptions = {}): Promise<PbiDataset[]> {
    return this.list(`groups/${checkedId(pbiWorkspaceId)}/datasets`, parseDataset, options);
  }

  /** A token that the browser may show these reports with, for `lifetimeMinutes` or a little less. */
  async generateToken(asked: EmbedTokenRequest): Promise<PbiEmbedToken> {
    const body = JSON.stringify({
      reports: asked.reports.map((id) => ({ id: checkedId(id), allowEdit: asked.allowEdit })),
      datasets: asked.datasets.map((id) => ({ id: checkedId(id) })),
      targetWorkspaces: asked.targetWorkspaces?.map((id) => ({ id: checkedId(id) })),
      identities: asked.identities.length > 0 ? asked.identities : undefined,
      lifetimeInMinutes: asked.lifetimeMinutes,
    });
    return this.call(
      'embedding',
      { method: 'POST', path: 'GenerateToken', body },
      ({ body, date }) => parseEmbedToken(parseJson(body), date),
      asked,
    );
  }

  async status(): Promise<PowerBiStatus> {
    try {
      await this.list('groups?$top=1', parseWorkspace, {});
      return { status: 'ok' };
    } catch (error) {
      return { status: 'down', detail: (error as Error).message };
    }
  }

  async onModuleDestroy(): Promise<void> {
    await Promise.all([this.http.close(), this.entraHttp.close()]);
  }

  private list<T>(path: string, parse: (item: unknown) => T, options: CallOptions): Promise<T[]> {
    return this.call(
      'listing',
      { method: 'GET', path, maxBytes: LIST_BYTES },
      ({ body }) => parseList(parseJson(body), parse),
      options,
    );
  }

  private async call<T>(
    doing: Doing,
    { path, ...rest }: Pick<UpstreamRequest, 'method' | 'body' | 'maxBytes'> & { path: string },
    parse: (answer: UpstreamAnswer) => T,
    options: CallOptions,
  ): Promise<T> {
    try {
      const url = new URL(`${this.config.apiUrl}/v1.0/myorg/${path}`);
      const { accessToken } = await this.tokens.get(
        doing === 'embedding' ? this.config.minimumTokenMinutes * 60 : undefined,
      );
      const call = { ...rest, url, headers: this.headers(accessToken, options), signal: options.signal };
      if (options.meter !== undefined) options.meter.calls += 1;
      const answer = await this.http.send(call);
      if (answer.status >= 400) throw this.http.refusal(call, answer);
      return this.parsed(call, answer, parse);
    } catch (error) {
      throw translate(error, doing);
    }
  }

  private parsed<T>(call: UpstreamRequest, answer: UpstreamAnswer, parse: (answer: UpstreamAnswer) => T): T {
    try {
      return parse(answer);
    } catch (error) {
      throw error instanceof MalformedAnswer ? this.http.malformed(call, error) : error;
    }
  }

  private headers(accessToken: string, { profileId }: CallOptions): Record<string, string> {
    return {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/json',
      'x-ms-client-request-id': requestId(),
      ...(profileId !== undefined && { 'x-powerbi-profile-id': checkedId(profileId) }),
    };
  }
}
