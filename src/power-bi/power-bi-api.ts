import { requestId } from '../core/http/request-context.js';
import type { PowerBiConfig } from '../core/config/power-bi.config.js';
import type { EntraTokens } from './entra-tokens.js';
import { checkedId } from './ids.js';
import { parseJson } from './response-parsers.js';
import type { CallOptions, EmbedTokenRequest } from './power-bi.types.js';
import { type Operation, translate } from './translate.js';
import { type UpstreamCalls, within } from './upstream-calls.js';
import { UpstreamError } from './upstream-error.js';
import type { UpstreamResponse, UpstreamRequest } from './upstream-http.js';

/** All calls except admin ones share one rate limit of the service principal. */
export const API_SCOPE = 'power_bi';

interface ApiCall<T> extends Pick<
  UpstreamRequest,
  'method' | 'body' | 'maxBytes' | 'tryMs' | 'totalMs' | 'sink'
> {
  operation: Exclude<Operation, 'signing_in'>;
  /** Path below `/v1.0/myorg/`. */
  path: string;
  scope: string;
  parse: (response: UpstreamResponse) => T;
  /** Not safe to repeat. */
  isOnce?: boolean;
  /** The caller can request less. */
  isDivisible?: boolean;
  /** Minimum remaining lifetime of the access token, in seconds. */
  tokenSeconds?: number;
}

/** Calls the Power BI REST API as the service principal. */
export class PowerBiApi {
  constructor(
    private readonly config: PowerBiConfig,
    private readonly calls: UpstreamCalls,
    private readonly tokens: EntraTokens,
    private readonly totalMs: number,
  ) {}

  /** Reads a part of the catalogue. Throws as `send` does. */
  get<T>(
    path: string,
    parse: (body: unknown) => T,
    options: CallOptions,
    limits: Pick<UpstreamRequest, 'maxBytes'> = {},
  ): Promise<T> {
    const call = { operation: 'listing', method: 'GET', path, scope: API_SCOPE, ...limits } as const;
    return this.send({ ...call, parse: ({ body }) => parse(parseJson(body)) }, options);
  }

  /** Throws a Problem, or the reason of the caller's signal. */
  async send<T>(call: ApiCall<T>, options: CallOptions): Promise<T> {
    const { patient, signal: caller } = options;
    const limit = {
      ms: call.totalMs ?? this.totalMs,
      facts: { upstream: 'power_bi', method: call.method },
      signal: caller,
    } as const;
    try {
      if (patient === true) return await this.authorized(call, options);
      return await within(limit, (signal) => this.authorized(call, { ...options, signal }));
    } catch (error) {
      caller?.throwIfAborted();
      throw translate(error, call.operation);
    }
  }

  /** Checks that Power BI responds, bypassing the breaker and without retries. Throws when it does not. */
  async probe(signal: AbortSignal): Promise<void> {
    const token = await this.tokens.get(0, signal);
    await this.calls.probe({
      method: 'GET',
      url: this.url('groups?$top=1'),
      headers: this.headers(token, {}),
      signal,
    });
  }

  private async authorized<T>(call: ApiCall<T>, options: CallOptions): Promise<T> {
    const { signal, meter, patient } = options;
    const { path, parse, tokenSeconds, ...request } = call;
    let token = '';
    const authorize = async (): Promise<Record<string, string>> => {
      token = await this.requestToken(() => this.tokens.get(tokenSeconds, signal), options);
      return this.headers(token, options);
    };
    const send = () =>
      this.calls.send({ ...request, url: this.url(path), authorize, signal, meter, patient }, parse);
    try {
      return await send();
    } catch (error) {
      if (!isTokenRefused(error)) throw error;
      const fresh = await this.requestToken(() => this.tokens.replace(token, signal), options);
      if (fresh === undefined) throw error;
      return send();
    }
  }

  /** Requests a token. A patient caller waits for the end of a throttle window of Entra. */
  private async requestToken<T>(request: () => Promise<T>, options: CallOptions): Promise<T> {
    for (;;) {
      try {
        return await request();
      } catch (error) {
        const isThrottled = error instanceof UpstreamError && error.facts.status === 429;
        if (options.patient !== true || !isThrottled) throw error;
        await this.calls.throttle.waitForCapacity('entra', { ...options, scope: 'entra' });
      }
    }
  }

  private url(path: string): URL {
    return new URL(`${this.config.apiUrl}/v1.0/myorg/${path}`);
  }

  private headers(token: string, { profileId }: CallOptions): Record<string, string> {
    return {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(requestId() !== '-' && { 'x-ms-client-request-id': requestId() }),
      ...(profileId !== undefined && { 'x-powerbi-profile-id': checkedId(profileId) }),
    };
  }
}

/**
 * Power BI reports an expired token as a 403 that names it or has an empty body. 401 means no access, except for a
 * challenge after the principal's sessions were revoked (conditional access).
 */
function isTokenRefused(error: unknown): boolean {
  if (!(error instanceof UpstreamError) || error.failure !== 'error_status') return false;
  const { upstream, status, upstreamCode, upstreamMessage } = error.facts;
  if (upstream !== 'power_bi') return false;
  if (status !== 403) return status === 401 && upstreamCode === 'insufficient_claims';
  if (upstreamCode === undefined) return upstreamMessage === undefined;
  return upstreamCode === 'TokenExpired' || upstreamCode === 'InvalidToken';
}

/** Body of `GenerateToken`. */
export const embedTokenBody = (request: EmbedTokenRequest): string =>
  JSON.stringify({
    reports: request.reports.map((id) => ({ id: checkedId(id), allowEdit: request.allowEdit })),
    // As Microsoft's example of a paginated report over a dataset.
    datasets: request.datasets.map((id) => ({
      id: checkedId(id),
      xmlaPermissions: request.isPaginated ? 'ReadOnly' : undefined,
    })),
    identities: request.identities.length > 0 ? request.identities : undefined,
    lifetimeInMinutes: request.lifetimeMinutes,
  });
