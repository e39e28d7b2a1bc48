import { Agent, type Dispatcher, errors, request } from 'undici';
import type { Clock } from '../common/clock.js';
import { errorFacts } from './error-body.js';
import { readBounded, TooLarge } from './upstream-body.js';
import { type Upstream, UpstreamError, type UpstreamFacts } from './upstream-error.js';

export interface UpstreamRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  maxBytes?: number;
  signal?: AbortSignal;
}

export interface UpstreamAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** What `Date` says, or our own clock where there is none. */
  date: Date;
}

export interface HttpLimits {
  connectMs: number;
  tryMs: number;
  maxBytes: number;
}

export const defaultHttpLimits: HttpLimits = { connectMs: 2000, tryMs: 5000, maxBytes: 2 * 1024 * 1024 };

/** One try against one upstream: bounded in time and size, never led elsewhere by a redirect. */
export class UpstreamHttp {
  private readonly agent: Agent;

  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly limits: HttpLimits = defaultHttpLimits,
  ) {
    this.agent = new Agent({
      connect: { timeout: limits.connectMs },
      headersTimeout: limits.tryMs,
      bodyTimeout: limits.tryMs,
    });
  }

  /** Gives any answer, whatever its status. Throws UpstreamError when none came, or the reason of `signal`. */
  async send(call: UpstreamRequest): Promise<UpstreamAnswer> {
    call.signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(this.limits.tryMs);
    const signal = call.signal === undefined ? deadline : AbortSignal.any([call.signal, deadline]);
    try {
      const answer = await request(call.url, this.options(call, signal));
      return await this.read(answer, call);
    } catch (error) {
      call.signal?.throwIfAborted();
      throw this.failure(error, call);
    }
  }

  /** The error that an answer with an error status stands for. */
  refusal({ method, url }: UpstreamRequest, { status, headers, body }: UpstreamAnswer): UpstreamError {
    return new UpstreamError('answered', {
      ...this.facts({ method, url }),
      status,
      ...errorFacts(headers, body, this.clock.now()),
    });
  }

  malformed(call: UpstreamRequest, cause: unknown): UpstreamError {
    return new UpstreamError('malformed', this.facts(call), cause);
  }

  async close(): Promise<void> {
    await this.agent.destroy();
  }

  private options(call: UpstreamRequest, signal: AbortSignal): Parameters<typeof request>[1] {
    return {
      method: call.method,
      headers: { accept: 'application/json', ...call.headers },
      body: call.body,
      signal,
      dispatcher: this.agent,
    };
  }

  private async read(
    answer: Dispatcher.ResponseData<unknown>,
    call: UpstreamRequest,
  ): Promise<UpstreamAnswer> {
    const { statusCode: status, headers } = answer;
    const body = await readBounded(answer.body, call.maxBytes ?? this.limits.maxBytes);
    if (status >= 300 && status < 400) throw new UpstreamError('redirected', { ...this.facts(call), status });
    const date = new Date(String(headers.date));
    return { status, headers, body, date: Number.isNaN(date.getTime()) ? this.clock.now() : date };
  }

  private failure(error: unknown, call: UpstreamRequest): UpstreamError {
    if (error instanceof UpstreamError) return error;
    const facts = this.facts(call);
    if (error instanceof TooLarge) return new UpstreamError('too_large', facts, error);
    const timeouts = [errors.ConnectTimeoutError, errors.HeadersTimeoutError, errors.BodyTimeoutError];
    const timedOut =
      timeouts.some((timeout) => error instanceof timeout) || (error as Error).name === 'TimeoutError';
    return new UpstreamError(timedOut ? 'timed_out' : 'unreachable', facts, error);
  }

  private facts({ method, url }: Pick<UpstreamRequest, 'method' | 'url'>): UpstreamFacts {
    return { upstream: this.upstream, method, path: url.pathname };
  }
}
