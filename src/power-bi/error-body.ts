import type { UpstreamFacts } from './upstream-error.js';
import { storable } from './upstream-text.js';

type Headers = Record<string, string | string[] | undefined>;

const MAX_TEXT = 500;

const header = (headers: Headers, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
};

const text = (value: unknown): string | undefined => storable(value, MAX_TEXT);

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** Seconds to wait, from `Retry-After` as a number of seconds or a date. Undefined when it is absent or malformed. */
export function retryAfterSeconds(value: string | undefined, now: Date): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value.trim())) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}

/**
 * Power BI has three error body formats, an empty body and an error header; Entra has its own format. The request id is
 * in `RequestId` (newer Power BI front ends) or `x-ms-request-id` (Entra).
 */
export function errorFacts(
  headers: Headers,
  body: string,
  now: Date,
): Pick<UpstreamFacts, 'upstreamCode' | 'upstreamMessage' | 'upstreamRequestId' | 'retryAfter'> {
  const json = record(parse(body));
  const error = record(json.error);
  const info = header(headers, 'x-powerbi-error-info');
  const date = Date.parse(header(headers, 'date') ?? '');
  const challenge = /error="?(\w+)/.exec(header(headers, 'www-authenticate') ?? '')?.[1];
  return {
    upstreamCode: text(info) ?? challenge ?? text(error.code) ?? text(json.error),
    upstreamMessage:
      text(error.message) ??
      text(json.Message) ??
      text(json.message) ??
      text(json.error_description) ??
      text(body),
    upstreamRequestId: text(header(headers, 'requestid') ?? header(headers, 'x-ms-request-id')),
    // A date in `Retry-After` refers to the upstream's clock, so it is compared with the response's `Date`.
    retryAfter: retryAfterSeconds(header(headers, 'retry-after'), Number.isNaN(date) ? now : new Date(date)),
  };
}
