import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { type ClaimedToken, claimTokens, findViews, type TokenUse, writeViews } from './ingest.queries.js';
import type { IngestedEventsDto, RejectedEventDto } from './dto/usage-events.dto.js';
import { UsagePeopleService } from './people.service.js';
import {
  canBeginAt,
  MAX_TOKEN_AGE_MS,
  parseEvent,
  rejectionOf,
  type RejectionCode,
  type UsageEvent,
} from './usage-event.js';
import { DAY_MS } from './period.js';
import { addEvent, newView, type View, viewKey, visibleLimit } from './view.js';

/** An event that may be accepted. */
interface Candidate {
  index: number;
  event: UsageEvent;
}

/** What a batch writes. */
interface Batch {
  /** Views that this batch changes, by id. */
  changed: Map<string, View>;
  /** What the views add to the use of each token, by the id of its grant. */
  used: Map<string, TokenUse>;
  rejected: RejectedEventDto[];
}

const MAX_EVENTS_PER_MINUTE = 600;
const MAX_VIEWS_PER_HOUR = 120;
/** Opening times of all viewers share their percentiles: one token adds as many as a person who opens a report often. */
const MAX_OPENING_TIMES_PER_HOUR = 10;

const later = (a: Date, b: Date): Date => (a > b ? a : b);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const ago = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

const bySeq = (a: Candidate, b: Candidate): number => a.event.seq - b.event.seq || a.index - b.index;

/** Records what browsers report about views of reports. */
@Injectable()
export class UsageIngestService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly people: UsagePeopleService,
    private readonly clock: Clock,
  ) {}

  /** An invalid event does not affect the others. Repeated events are accepted and change nothing. */
  async ingest(caller: Principal, events: readonly unknown[]): Promise<IngestedEventsDto> {
    const parsed = events.map((event, index) => ({ index, event: parseEvent(event) }));
    const candidates = parsed.filter((each): each is Candidate => each.event !== null);
    const rejected: RejectedEventDto[] = parsed
      .filter(({ event }) => event === null)
      .map(({ index }) => ({ index, code: 'invalid_event' }));
    if (candidates.length > 0) {
      rejected.push(...(await this.database.transaction((tx) => this.record(tx, caller, candidates))));
    }
    rejected.sort((a, b) => a.index - b.index);
    emit('usage_events_received', { result: 'accepted', count: events.length - rejected.length });
    for (const { code } of rejected) emit('usage_events_received', { result: code, count: 1 });
    return { accepted: events.length - rejected.length, rejected };
  }

  private async record(
    tx: EntityManager,
    caller: Principal,
    candidates: readonly Candidate[],
  ): Promise<RejectedEventDto[]> {
    const now = this.clock.now();
    const byToken = Map.groupBy(candidates, ({ event }) => event.tokenId);
    const counts = new Map([...byToken].map(([token, { length }]) => [token, length]));
    const since = ago(now, MAX_TOKEN_AGE_MS);
    const tokens = await claimTokens(tx, { userId: caller.id, counts, since, now });
    const batch: Batch = { changed: new Map(), used: new Map(), rejected: [] };
    const acceptable = [...byToken].flatMap(([id, group]) =>
      check(group, tokens.get(id), now, batch.rejected),
    );
    await this.apply(tx, caller, { acceptable, tokens, batch, now });
    const { changed, used } = batch;
    if (changed.size > 0) await writeViews(tx, [...changed.values()], used, now);
    return batch.rejected;
  }

  private async apply(
    tx: EntityManager,
    caller: Principal,
    {
      acceptable,
      tokens,
      batch,
      now,
    }: {
      acceptable: readonly Candidate[];
      tokens: ReadonlyMap<string, ClaimedToken>;
      batch: Batch;
      now: Date;
    },
  ): Promise<void> {
    const keyOf = ({ event }: Candidate): string =>
      viewKey(caller.id, (tokens.get(event.tokenId) as ClaimedToken).report_id, event.viewId);
    const groups = Map.groupBy(acceptable, keyOf);
    // A page may stay open for weeks: it continues its view as long as that is kept.
    const since = ago(now, this.config.usage.rawDays * DAY_MS);
    const stored = groups.size > 0 ? await findViews(tx, [...groups.keys()], since) : new Map<string, View>();
    for (const [id, group] of groups) {
      const token = tokens.get((group[0] as Candidate).event.tokenId) as ClaimedToken;
      const view = stored.get(id) ?? (await this.create(tx, caller, { id, group, token, batch, now }));
      if (typeof view === 'string') batch.rejected.push(...rejectAll(group, view));
      else if (group.toSorted(bySeq).filter(({ event }) => add(view, event, tokens, batch, now)).length > 0)
        batch.changed.set(id, view);
    }
  }

  /** Returns why the view is rejected: its token has started its number of views, or expired before. */
  private async create(
    tx: EntityManager,
    caller: Principal,
    {
      id,
      group,
      token,
      batch,
      now,
    }: { id: string; group: readonly Candidate[]; token: ClaimedToken; batch: Batch; now: Date },
  ): Promise<View | RejectionCode> {
    const first = group.map(({ event }) => event.at).reduce(earlier);
    if (!canBeginAt(first, token.expires_at)) return 'event_after_token';
    const use = useOf(token, batch);
    const position = token.views + use.views;
    if (position >= MAX_VIEWS_PER_HOUR) return 'rate_limited';
    use.views += 1;
    // A report is not opened before its token exists; the duration that a client may report is counted from here.
    const startedAt = earlier(later(first, token.issued_at), now);
    const { report_id, workspace_id } = token;
    const person = await this.people.numberOf(tx, caller.id, startedAt);
    const by_admin = caller.role === 'admin';
    const view = { id, started_at: startedAt, report_id, workspace_id, person, by_admin };
    return newView(view, position < MAX_OPENING_TIMES_PER_HOUR);
  }
}

const rejectAll = (group: readonly Candidate[], code: RejectionCode): RejectedEventDto[] =>
  group.map(({ index }) => ({ index, code }));

/** Returns the events of one token that may be accepted, and adds the others to `rejected`. */
function check(
  group: readonly Candidate[],
  token: ClaimedToken | undefined,
  now: Date,
  rejected: RejectedEventDto[],
): Candidate[] {
  if (token === undefined) {
    rejected.push(...rejectAll(group, 'unknown_token'));
    return [];
  }
  const left = Math.max(0, MAX_EVENTS_PER_MINUTE - (token.events - group.length));
  rejected.push(...rejectAll(group.slice(left), 'rate_limited'));
  return group.slice(0, left).filter(({ index, event }) => {
    const code = rejectionOf(event, token.issued_at, now);
    if (code !== undefined) rejected.push({ index, code });
    return code === undefined;
  });
}

function useOf({ grant_id }: ClaimedToken, { used }: Batch): TokenUse {
  const use = used.get(grant_id) ?? { views: 0, visible_ms: 0 };
  used.set(grant_id, use);
  return use;
}

/** Adds the event to the view within what its token allows. Returns false for an event that is already part of it. */
function add(
  view: View,
  event: UsageEvent,
  tokens: ReadonlyMap<string, ClaimedToken>,
  batch: Batch,
  now: Date,
): boolean {
  const token = tokens.get(event.tokenId) as ClaimedToken;
  const use = useOf(token, batch);
  const left = visibleLimit(token.issued_at, now) - token.visible_ms - use.visible_ms;
  const before = view.visible_ms;
  const isAdded = addEvent(view, event, now, Math.max(0, left));
  use.visible_ms += view.visible_ms - before;
  return isAdded;
}
