import { isReadableText, isUuid } from '../core/validation/text.js';

export const eventKinds = ['opened', 'loaded', 'rendered', 'page', 'error', 'closed'] as const;

export type EventKind = (typeof eventKinds)[number];

/** One event of a view, as the browser reports it. */
export interface UsageEvent {
  viewId: string;
  tokenId: string;
  seq: number;
  kind: EventKind;
  at: Date;
  /** Page id of a `page` event. */
  page?: string;
  /** Display name of the page. */
  pageName?: string;
  /** Load or render time, or with `closed` the visible time of the view so far. */
  ms?: number;
  /** Power BI's code of an `error`. */
  code?: string;
}

/** Why an event was rejected. */
export const rejectionCodes = [
  'invalid_event',
  'unknown_token',
  'event_before_token',
  'event_after_token',
  'event_in_future',
  'event_too_old',
  'duration_too_long',
  'rate_limited',
] as const;

export type RejectionCode = (typeof rejectionCodes)[number];

export const MAX_SEQ = 4095;
export const MAX_PAGE_NAME = 200;
const HOUR_MS = 3_600_000;
const MAX_AHEAD_MS = 300_000;
const MAX_BEFORE_TOKEN_MS = 300_000;
const MAX_AFTER_TOKEN_MS = 300_000;
const MAX_DURATION_MS = 24 * HOUR_MS;
/** A day is closed after this time; tokens that an event may refer to live at most a day longer. */
export const MAX_AGE_MS = 48 * HOUR_MS;
export const MAX_TOKEN_AGE_MS = MAX_AGE_MS + 25 * HOUR_MS;

const errorCode = /^[A-Za-z0-9_.-]{1,64}$/;
const names = new Set(['view_id', 'token_id', 'seq', 'kind', 'at_ms', 'page', 'page_name', 'ms', 'code']);
const MAX_TIME = 8.64e15;

const isId = (value: unknown): value is string => typeof value === 'string' && isUuid(value);
const isWhole = (value: unknown, max: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max;
const isMissing = (value: unknown): value is undefined => value === undefined;
const isPage = (value: unknown): value is string => isReadableText(value) && value.length <= MAX_PAGE_NAME;

/** Returns null for a value that is not an event. The client's values are never part of a response. */
export function parseEvent(value: unknown): UsageEvent | null {
  if (typeof value !== 'object' || value === null || Object.keys(value).some((name) => !names.has(name)))
    return null;
  const { view_id, token_id, seq, kind, at_ms, page, page_name, ms, code } = value as Record<string, unknown>;
  const known = eventKinds.find((each) => each === kind);
  if (!isId(view_id) || !isId(token_id) || !isWhole(seq, MAX_SEQ) || known === undefined) return null;
  if (!isWhole(at_ms, MAX_TIME)) return null;
  if (!isMissing(page) && !isPage(page)) return null;
  if (known === 'page' && page === undefined) return null;
  if (!isMissing(page_name) && !isPage(page_name)) return null;
  if (!isMissing(ms) && !isWhole(ms, Number.MAX_SAFE_INTEGER)) return null;
  if (!isMissing(code) && !(typeof code === 'string' && errorCode.test(code))) return null;
  const ids = { viewId: view_id.toLowerCase(), tokenId: token_id.toLowerCase() };
  return { ...ids, seq, kind: known, at: new Date(at_ms), page, pageName: page_name, ms, code };
}

/** Returns why the event cannot be accepted with a token issued at this time; undefined if it can. */
export function rejectionOf({ at, ms }: UsageEvent, issuedAt: Date, now: Date): RejectionCode | undefined {
  if (at.getTime() > now.getTime() + MAX_AHEAD_MS) return 'event_in_future';
  if (at.getTime() < issuedAt.getTime() - MAX_BEFORE_TOKEN_MS) return 'event_before_token';
  if (at.getTime() < now.getTime() - MAX_AGE_MS) return 'event_too_old';
  if (ms !== undefined && ms > MAX_DURATION_MS) return 'duration_too_long';
  return undefined;
}

/** Whether a view that begins at this time can use a token that expires then. Events of a view that exists may be later. */
export const canBeginAt = (at: Date, expiresAt: Date): boolean =>
  at.getTime() <= expiresAt.getTime() + MAX_AFTER_TOKEN_MS;
