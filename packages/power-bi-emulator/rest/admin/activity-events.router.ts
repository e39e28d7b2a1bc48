import { Router, type RequestHandler } from 'express';
import type { Emulator } from '../../emulator.js';
import { invalidRequest } from '../power-bi-error.js';
import { activityEvents, type ActivityEvent } from './activity-views.js';

/** A window of the log and the position in it. */
interface Chunk {
  start: number;
  end: number;
  filter?: string;
  offset: number;
}

const day = 24 * 60 * 60_000;
const quoted = /^'(.*)'$/;
const condition = /^(Activity|UserId)\s+eq\s+'((?:[^']|'')*)'$/i;

/** The activity log, in chunks of at most `activity_page_size` events of one UTC day. */
export function activityEventsRouter(emulator: Emulator): Router {
  const router = Router();
  router.get('/activityevents', list(emulator));
  return router;
}

function list(emulator: Emulator): RequestHandler {
  return (request, response) => {
    const { continuationToken, startDateTime, endDateTime, $filter } = request.query;
    const chunk =
      continuationToken === undefined
        ? windowOf(startDateTime, endDateTime, $filter)
        : chunkOf(unquoted(continuationToken) ?? plain(continuationToken));
    const isMatch = filterOf(chunk.filter);
    const events = activityEvents(emulator)
      .filter(({ at, event }) => at >= chunk.start && at <= chunk.end && isMatch(event))
      .map(({ event }) => event);
    const next = chunk.offset + emulator.settings.activity_page_size;
    const more = next < events.length ? tokenOf({ ...chunk, offset: next }) : undefined;
    response.json({
      activityEventEntities: events.slice(chunk.offset, next),
      ...continuation(emulator, more),
      ...(emulator.guess('activity_extras') === 'present' && { lastResultSet: more === undefined }),
    });
  };
}

function continuation(emulator: Emulator, token: string | undefined) {
  if (token === undefined) {
    if (emulator.guess('last_continuation') === 'absent') return {};
    return { continuationUri: null, continuationToken: null };
  }
  const uri = `${emulator.url}/v1.0/myorg/admin/activityevents?continuationToken='${token}'`;
  return { continuationUri: uri, continuationToken: token };
}

function windowOf(from: unknown, to: unknown, filter: unknown): Chunk {
  const [start, end] = [timeOf(from), timeOf(to)];
  if (Number.isNaN(start) || Number.isNaN(end)) {
    throw invalidRequest('startDateTime and endDateTime are required, as UTC times in single quotes');
  }
  if (Math.floor(start / day) !== Math.floor(end / day) || end < start) {
    throw invalidRequest('startDateTime and endDateTime must be in the same UTC day');
  }
  return { start, end, offset: 0, ...(filter !== undefined && { filter: plain(filter) }) };
}

function timeOf(value: unknown): number {
  const text = unquoted(value);
  return text !== undefined && /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(utc(text)) : Number.NaN;
}

function utc(text: string): string {
  return /Z$/i.test(text) ? text : `${text}Z`;
}

/** A parameter that was given twice is no text, and invalid. */
function plain(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The text in single quotes. */
function unquoted(value: unknown): string | undefined {
  return typeof value === 'string' ? quoted.exec(value)?.[1] : undefined;
}

/** Only `eq` and `and`, on Activity and UserId. Throws PowerBiError. */
function filterOf(filter: string | undefined): (event: ActivityEvent) => boolean {
  if (filter === undefined) return () => true;
  const conditions = filter.split(/\s+and\s+/i).map((each) => {
    const [, name, value] = condition.exec(each.trim()) ?? [];
    if (name === undefined || value === undefined)
      throw invalidRequest('The $filter expression is not valid.');
    const property = name.toLowerCase() === 'activity' ? 'Activity' : 'UserId';
    return { property, wanted: value.replaceAll("''", "'").toLowerCase() };
  });
  return (event) =>
    conditions.every(({ property, wanted }) => String(event[property]).toLowerCase() === wanted);
}

/** Letters, digits, `-` and `_` only: clients put it into the URL with and without encoding it. */
function tokenOf(chunk: Chunk): string {
  return Buffer.from(JSON.stringify(chunk)).toString('base64url');
}

function chunkOf(token: string): Chunk {
  try {
    const chunk: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (isChunk(chunk)) return chunk;
  } catch {
    // Not a token of the emulator.
  }
  throw invalidRequest('Parameter continuationToken is missing or invalid');
}

function isChunk(value: unknown): value is Chunk {
  if (typeof value !== 'object' || value === null) return false;
  const { start, end, filter, offset } = value as Partial<Chunk>;
  const isText = filter === undefined || typeof filter === 'string';
  return isText && [start, end].every(Number.isFinite) && Number.isInteger(offset) && Number(offset) >= 0;
}
