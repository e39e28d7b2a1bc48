// SQL, because events get their numbers as a set, and are inserted as a part of other statements.
import type { EntityManager } from 'typeorm';
import { arrayParameters, execute, firstRow } from '../../core/database/execute.js';
import { type PersonalData, reasons } from '../../core/database/personal-data.js';
import type { EventType } from './event-types.js';
import { EventSequence } from './stored-event.entity.js';

/** An event before its transaction commits. */
export interface NewEvent {
  id: string;
  type: EventType;
  subject: string;
  data: object;
  at: Date;
}

export interface Event extends NewEvent {
  seq: number;
}

interface EventRow extends Omit<Event, 'seq'> {
  seq: string;
}

/** Channel of the notification after each assignment; its payload is the last seq. */
export const EVENTS_CHANNEL = 'vitrine_events';

/** SQL types of the columns of a new event. */
const types = ['uuid', 'text', 'text', 'jsonb', 'timestamptz'];

/** The insertion, as a part of another statement: its five parameters, arrays of values, begin with `$first`. */
export const insertionOf = (first: number): string =>
  `INSERT INTO events (id, type, subject, data, at)
   SELECT id, type, subject, data, at
   FROM unnest(${arrayParameters(types, first).join(', ')}) WITH ORDINALITY AS given (id, type, subject, data, at, n) ORDER BY n`;

/** The same for the first event only, if there is one and the condition is met. */
export const firstInsertionOf = (first: number, condition: string): string =>
  `INSERT INTO events (id, type, subject, data, at)
   SELECT ${firstRow(arrayParameters(types, first))} WHERE ${condition} AND ($${first}::uuid[])[1] IS NOT NULL`;

/** The parameters of `insertionOf` and `firstInsertionOf`. */
export const insertedValues = (events: readonly NewEvent[]): unknown[] => [
  events.map(({ id }) => id),
  events.map(({ type }) => type),
  events.map(({ subject }) => subject),
  events.map(({ data }) => JSON.stringify(data)),
  events.map(({ at }) => at),
];

const insertion = insertionOf(1);

export async function insertEvents(tx: EntityManager, events: readonly NewEvent[]): Promise<void> {
  await execute(tx, insertion, insertedValues(events));
}

export interface OutboxState {
  lastSeq: number;
  /** Whether committed events wait for their seq. */
  isPending: boolean;
}

export async function readState(manager: EntityManager): Promise<OutboxState> {
  const { rows } = await execute<{ last_seq: string; is_pending: boolean }>(
    manager,
    'SELECT last_seq, EXISTS (SELECT FROM events WHERE seq IS NULL) AS is_pending FROM event_sequence',
    [],
  );
  return { lastSeq: Number(rows[0]?.last_seq ?? 0), isPending: rows[0]?.is_pending === true };
}

/**
 * Assigns the next seqs to committed events and announces them. The row of the sequence is the lock: one replica at a
 * time assigns, and PostgreSQL releases it when a connection ends. The assignment is a second statement, because its
 * snapshot must begin after the lock is acquired. Returns how many events were assigned, and the last seq.
 */
export async function assignSeqs(
  tx: EntityManager,
  limit: number,
): Promise<{ assigned: number; lastSeq: number }> {
  const sequence = await tx.findOne(EventSequence, { where: { id: 1 }, lock: { mode: 'pessimistic_write' } });
  const before = Number(sequence?.lastSeq);
  const { rows } = await execute<{ last_seq: string }>(
    tx,
    `WITH batch AS (
       SELECT at, id, row_number() OVER (ORDER BY position) AS n
       FROM (SELECT at, id, position FROM events WHERE seq IS NULL ORDER BY position LIMIT $2) AS waiting
     ), assigned AS (
       UPDATE events SET seq = $1::bigint + batch.n FROM batch
       WHERE events.at = batch.at AND events.id = batch.id RETURNING events.seq
     ), moved AS (
       UPDATE event_sequence SET last_seq = last_seq + (SELECT count(*) FROM assigned) RETURNING last_seq
     )
     SELECT last_seq, pg_notify('${EVENTS_CHANNEL}', last_seq::text) FROM moved WHERE last_seq > $1::bigint`,
    [before, limit],
  );
  const lastSeq = Number(rows[0]?.last_seq ?? before);
  return { assigned: lastSeq - before, lastSeq };
}

export interface EventSelection {
  /** Undefined for all stored events. */
  after: number | undefined;
  /** Undefined for no end. */
  through?: number;
  limit: number;
  types?: readonly EventType[] | undefined;
  /** Only events that occurred from this time until before `to`. */
  from?: Date;
  to?: Date;
}

/** Bounds the rows that are read for a rare type or a period. */
const MAX_EXAMINED = 20_000;

export interface FoundEvents {
  events: Event[];
  firstSeq: number;
  lastSeq: number;
  /** Seq of the last event that was examined, whether or not it was selected. */
  examined: number;
}

/** Reads events and the bounds of what is stored in one snapshot. */
export async function findEvents(
  manager: EntityManager,
  { after, through, limit, types, from, to }: EventSelection,
): Promise<FoundEvents> {
  const { rows } = await execute<EventRow & { first_seq: string; last_seq: string; start: string }>(
    manager,
    `WITH stored AS (
       SELECT last_seq, coalesce((SELECT min(seq) FROM events), last_seq + 1) AS first_seq FROM event_sequence
     ), bounds AS (
       SELECT first_seq, last_seq, greatest($1::bigint, first_seq - 1) AS start FROM stored
     )
     SELECT bounds.*, found.* FROM bounds LEFT JOIN LATERAL (
       SELECT id, seq, type, subject, data, at FROM events
       WHERE seq > bounds.start AND seq <= least(bounds.last_seq, bounds.start + ${MAX_EXAMINED}, $6)
         AND ($2::text[] IS NULL OR type = ANY($2))
         AND ($4::timestamptz IS NULL OR at >= $4) AND ($5::timestamptz IS NULL OR at < $5)
       ORDER BY seq LIMIT $3
     ) AS found ON true ORDER BY found.seq`,
    [after ?? null, types ?? null, limit, from ?? null, to ?? null, through ?? null],
  );
  const [bounds] = rows;
  const lastSeq = Number(bounds?.last_seq);
  const events = rows
    .filter(({ seq }) => seq !== null)
    .map(({ id, seq, type, subject, data, at }) => ({ id, seq: Number(seq), type, subject, data, at }));
  const examined =
    events.length === limit
      ? (events.at(-1)?.seq ?? lastSeq)
      : Math.min(lastSeq, Number(bounds?.start) + MAX_EXAMINED, through ?? lastSeq);
  return { events, firstSeq: Number(bounds?.first_seq), lastSeq, examined };
}

export const personalData: PersonalData[] = [
  {
    table: 'events',
    columns: ['subject', 'data'],
    holds: 'the ids of whom an event is about and of who caused it; no names or addresses',
    export: { omits: 'the changes are in the sections of the audit trail' },
    erasure: { keeps: `${reasons.erasedUser}; events are deleted in whole months after 30 days` },
  },
];
