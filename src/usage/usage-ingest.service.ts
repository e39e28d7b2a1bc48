import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { emit } from '../core/telemetry/telemetry-events.js';
import { type ClaimedToken, claimTokens, findViews, writeViews } from './ingest.queries.js';
import { UsagePeopleService } from './people.service.js';
import {
  canBeginAt,
  MAX_TOKEN_AGE_MS,
  objectionTo,
  parseEvent,
  type RejectionCode,
  type UsageEvent,
} from './usage-event.js';
import { addEvent, newView, type View, viewKey } from './view.js';

export interface Rejection {
  index: number;
  code: RejectionCode;
}

export interface Ingested {
  accepted: number;
  rejected: Rejection[];
}

/** An event that may be accepted. */
interface Candidate {
  index: number;
  event: UsageEvent;
}

/** What a batch writes. */
interface Batch {
  /** Views that this batch changes, by id. */
  changed: Map<string, View>;
  /** New views by token. */
  created: Map<string, number>;
  rejected: Rejection[];
}

const MAX_EVENTS_PER_MINUTE = 600;
const MAX_VIEWS_PER_HOUR = 120;
/** Longer than any view that still receives events. */
const MAX_VIEW_AGE_MS = 31 * 86_400_000;

const later = (a: Date, b: Date): Date => (a > b ? a : b);
const earlier = (a: Date, b: Date): Date => (a < b ? a : b);
const ago = (now: Date, ms: number): Date => new Date(now.getTime() - ms);

const bySeq = (a: Candidate, b: Candidate): number => a.event.seq - b.event.seq || a.index - b.index;

/** Records what browsers report about views of reports. */
@Injectable()
export class UsageIngestService {
  constructor(
    private readonly database: DatabaseService,
    private readonly people: UsagePeopleService,
    private readonly clock: Clock,
  ) {}

  /** An invalid event does not affect the others. Repeated events are accepted and change nothing. */
  async ingest(caller: Principal, events: readonly unknown[]): Promise<Ingested> {
    const parsed = events.map((event, index) => ({ index, event: parseEvent(event) }));
    const candidates = parsed.filter((each): each is Candidate => each.event !== null);
    const rejected: Rejection[] = parsed
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
  ): Promise<Rejection[]> {
    const now = this.clock.now();
    const byToken = Map.groupBy(candidates, ({ event }) => event.tokenId);
    const counts = new Map([...byToken].map(([token, { length }]) => [token, length]));
    const since = ago(now, MAX_TOKEN_AGE_MS);
    const tokens = await claimTokens(tx, { userId: caller.id, counts, since, now });
    const batch: Batch = { changed: new Map(), created: new Map(), rejected: [] };
    const acceptable = [...byToken].flatMap(([id, group]) =>
      check(group, tokens.get(id), now, batch.rejected),
    );
    await this.apply(tx, caller, { acceptable, tokens, batch, now });
    const { changed, created } = batch;
    if (changed.size > 0) await writeViews(tx, [...changed.values()], created, now);
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
    const stored =
      groups.size > 0
        ? await findViews(tx, [...groups.keys()], ago(now, MAX_VIEW_AGE_MS))
        : new Map<string, View>();
    for (const [id, group] of groups) {
      const token = tokens.get((group[0] as Candidate).event.tokenId) as ClaimedToken;
      const view = stored.get(id) ?? (await this.create(tx, caller, { id, group, token, batch, now }));
      if (typeof view === 'string') batch.rejected.push(...rejectAll(group, view));
      else if (group.toSorted(bySeq).filter(({ event }) => addEvent(view, event, now)).length > 0)
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
    const created = batch.created.get(token.grant_id) ?? 0;
    if (token.views + created >= MAX_VIEWS_PER_HOUR) return 'rate_limited';
    batch.created.set(token.grant_id, created + 1);
    // A report is not opened before its token exists; the duration that a client may report is counted from here.
    const startedAt = earlier(later(first, token.issued_at), now);
    return newView({
      id,
      started_at: startedAt,
      report_id: token.report_id,
      workspace_id: token.workspace_id,
      person: await this.people.numberOf(tx, caller.id, startedAt),
      by_admin: caller.role === 'admin',
    });
  }
}

const rejectAll = (group: readonly Candidate[], code: RejectionCode): Rejection[] =>
  group.map(({ index }) => ({ index, code }));

/** Returns the events of one token that may be accepted, and adds the others to `rejected`. */
function check(
  group: readonly Candidate[],
  token: ClaimedToken | undefined,
  now: Date,
  rejected: Rejection[],
): Candidate[] {
  if (token === undefined) {
    rejected.push(...rejectAll(group, 'unknown_token'));
    return [];
  }
  const left = Math.max(0, MAX_EVENTS_PER_MINUTE - (token.events - group.length));
  rejected.push(...rejectAll(group.slice(left), 'rate_limited'));
  return group.slice(0, left).filter(({ index, event }) => {
    const code = objectionTo(event, token.issued_at, now);
    if (code !== undefined) rejected.push({ index, code });
    return code === undefined;
  });
}
