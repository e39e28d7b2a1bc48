import { isIP, type LookupFunction } from 'node:net';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Agent, errors, request } from 'undici';
import { Clock } from '../../core/clock.js';
import { ReceiverRejected, ReceiversService } from './receivers.service.js';
import { parseRetryAfter } from './retry-schedule.js';
import type { DeliveryError } from './webhook.entity.js';

export const ATTEMPT_SECONDS = 15;
const CONNECT_MS = 5000;
const ADDRESS_MS = 2000;
const MAX_RESPONSE_BYTES = 4096;
/** Only to let the connection end properly: the status decides. */
const RESPONSE_MS = 1000;

export interface AttemptResult {
  /** Null: the receiver accepted the delivery. */
  error: DeliveryError | null;
  statusCode: number | null;
  durationMs: number;
  /** Seconds, from the receiver. */
  retryAfter: number | null;
}

interface Attempt {
  url: string;
  headers: Record<string, string>;
  body: string;
}

type Response = Pick<AttemptResult, 'statusCode' | 'retryAfter'>;

/**
 * Sends deliveries. Every attempt opens its own connection, so that every attempt checks the address it connects to. No
 * redirect is followed.
 */
@Injectable()
export class WebhookHttpService implements OnApplicationShutdown {
  private readonly checked: Agent;
  private readonly unchecked: Agent;

  constructor(
    private readonly receivers: ReceiversService,
    private readonly clock: Clock,
  ) {
    const lookup: LookupFunction = (hostname, options, callback) =>
      void this.lookup(hostname, options, callback);
    this.checked = openAgent({ lookup });
    this.unchecked = openAgent({});
  }

  /** Never throws. Ends within the given seconds, plus at most one for the response body. */
  async send(attempt: Attempt, seconds = ATTEMPT_SECONDS): Promise<AttemptResult> {
    const startedAt = performance.now();
    const done = (error: DeliveryError | null, response: Response): AttemptResult => ({
      error,
      ...response,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      const response = await this.post(attempt, AbortSignal.timeout(seconds * 1000));
      return done(errorOf(response.statusCode), response);
    } catch (error) {
      return done(classify(error), { statusCode: null, retryAfter: null });
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.checked.destroy(), this.unchecked.destroy()]);
  }

  private async post(
    { url, headers, body }: Attempt,
    signal: AbortSignal,
  ): Promise<Response & { statusCode: number }> {
    const target = new URL(url);
    const dispatcher = this.receivers.requireValid(target) ? this.unchecked : this.checked;
    const response = await request(target, { method: 'POST', headers, body, signal, dispatcher });
    const limit = AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]);
    await response.body.dump({ limit: MAX_RESPONSE_BYTES, signal: limit }).catch(() => undefined);
    const retryAfter = parseRetryAfter(response.headers['retry-after'], this.clock.now());
    return { statusCode: response.statusCode, retryAfter };
  }

  /** Resolves and checks in one step: the connection goes to a checked address. */
  private async lookup(
    hostname: string,
    { all }: Parameters<LookupFunction>[1],
    callback: Parameters<LookupFunction>[2],
  ): Promise<void> {
    try {
      const addresses = await this.receivers.publicAddresses(hostname);
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (all === true) callback(null, found);
      else callback(null, found[0]?.address ?? '', found[0]?.family);
    } catch (error) {
      callback(error as Error, '', 0);
    }
  }
}

const openAgent = (connect: { lookup?: LookupFunction }): Agent =>
  new Agent({
    // Of several addresses each has this time: Node's 250 ms are too short for a receiver on another continent.
    connect: { ...connect, timeout: CONNECT_MS, autoSelectFamilyAttemptTimeout: ADDRESS_MS },
    allowH2: false,
    // No keep-alive.
    pipelining: 0,
    // The deadline of the attempt applies.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: 16_384,
  });

function errorOf(status: number): DeliveryError | null {
  if (status >= 200 && status < 300) return null;
  return status < 400 ? 'redirect' : 'status';
}

const tlsCodes =
  /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO|HOSTNAME_MISMATCH|ERR_OSSL)/;

function classify(error: unknown): DeliveryError {
  const cause = error instanceof Error && error.cause instanceof ReceiverRejected ? error.cause : error;
  if (cause instanceof ReceiverRejected) return cause.reason;
  if (error instanceof errors.ConnectTimeoutError) return 'timeout';
  if (!(error instanceof Error)) return 'connection';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'timeout';
  const { code = '' } = error as NodeJS.ErrnoException;
  if (tlsCodes.test(code)) return 'tls';
  const isHttp = !(error instanceof errors.HTTPParserError) && code !== 'UND_ERR_HEADERS_OVERFLOW';
  return isHttp ? 'connection' : 'not_http';
}
