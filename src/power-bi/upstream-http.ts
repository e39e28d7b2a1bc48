import { Agent, type Dispatcher, errors, request } from 'undici';
import type { Clock } from '../core/clock.js';
import { tracedCall } from '../core/telemetry/tracing.js';
import { errorFacts } from './error-body.js';
import type { UpstreamLimits } from './limits.js';
import { bounded, readBounded, TooLarge } from './upstream-body.js';
import { isTimeout, type Upstream, UpstreamError, type UpstreamFacts } from './upstream-error.js';

export interface UpstreamRequest {
  method: 'GET' | 'POST';
  url: URL;
  headers?: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Overrides of the default limits for this call. */
  maxBytes?: number;
  tryMs?: number;
  totalMs?: number;
  /** Receives the body of a successful response instead of `body`, once for each attempt. */
  sink?: (body: AsyncIterable<Buffer>) => Promise<void>;
}

/** The receiver of a body failed, not the upstream. */
class SinkFailure extends Error {}

export interface UpstreamResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  /** The `Date` header, or the local time without one. */
  date: Date;
}

/** One attempt against one upstream: limited in time and size, without following redirects. */
export class UpstreamHttp {
  private readonly agent: Agent;

  constructor(
    private readonly upstream: Upstream,
    private readonly clock: Clock,
    private readonly limits: UpstreamLimits,
  ) {
    // The deadline of the attempt covers headers and body, even if they trickle in, so undici's own timeouts are off.
    this.agent = new Agent({
      connect: { timeout: limits.connectMs },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 30_000,
    });
  }

  /** Returns a response with a status below 300. Throws UpstreamError, or the reason of `signal`. */
  send(call: UpstreamRequest): Promise<UpstreamResponse> {
    const attributes = {
      'http.request.method': call.method,
      'server.address': call.url.hostname,
      'url.path': call.url.pathname,
    };
    return tracedCall(`${call.method} ${this.upstream}`, attributes, (headers) =>
      this.sendOnce({ ...call, headers: { ...call.headers, ...headers } }),
    );
  }

  private async sendOnce(call: UpstreamRequest): Promise<UpstreamResponse> {
    call.signal?.throwIfAborted();
    const deadline = AbortSignal.timeout(call.tryMs ?? this.limits.tryMs);
    const signal = call.signal === undefined ? deadline : AbortSignal.any([call.signal, deadline]);
    try {
      const response = await request(call.url, this.options(call, signal));
      return await this.read(response, call);
    } catch (error) {
      call.signal?.throwIfAborted();
      if (error instanceof SinkFailure) throw error.cause;
      throw error instanceof UpstreamError ? error : this.failure(error, call);
    }
  }

  facts({ method, url }: Pick<UpstreamRequest, 'method' | 'url'>): UpstreamFacts {
    return { upstream: this.upstream, method, path: url.pathname };
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
    response: Dispatcher.ResponseData<unknown>,
    call: UpstreamRequest,
  ): Promise<UpstreamResponse> {
    const { statusCode: status, headers } = response;
    const maxBytes = call.maxBytes ?? this.limits.maxBytes;
    if (call.sink !== undefined && status === 200) {
      await deliver(bounded(response.body, maxBytes), call.sink);
      return { status, headers, body: '', date: this.clock.now() };
    }
    const body = await readBounded(response.body, call.sink === undefined ? maxBytes : this.limits.maxBytes);
    if (status >= 400) {
      const details = errorFacts(headers, body, this.clock.now());
      throw new UpstreamError('error_status', { ...this.facts(call), status, ...details });
    }
    if (status >= 300) throw new UpstreamError('redirected', { ...this.facts(call), status });
    const date = new Date(String(headers.date));
    return { status, headers, body, date: Number.isNaN(date.getTime()) ? this.clock.now() : date };
  }

  private failure(error: unknown, call: UpstreamRequest): UpstreamError {
    if (error instanceof TooLarge) return new UpstreamError('too_large', this.facts(call), error);
    const timedOut = error instanceof errors.ConnectTimeoutError || isTimeout(error);
    return new UpstreamError(timedOut ? 'timed_out' : 'unreachable', this.facts(call), error);
  }
}

/** Throws SinkFailure when the receiver fails; errors of the connection are thrown unchanged. */
async function deliver(
  body: AsyncIterable<Buffer>,
  sink: (body: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> {
  let broken: unknown;
  async function* watched(): AsyncGenerator<Buffer> {
    try {
      yield* body;
    } catch (error) {
      broken = error;
      throw error;
    }
  }
  try {
    await sink(watched());
  } catch (error) {
    if (error === broken) throw error;
    throw new SinkFailure('the receiver of the body failed', { cause: error });
  }
}
