import { hash } from 'node:crypto';
import type { UsageEvent } from './usage-event.js';
import type { UsageView } from './usage.entity.js';

export type View = UsageView;

const MAX_PAGES = 200;
const MAX_ERRORS = 20;
const MAX_MS = 86_400_000;
const GRACE_MS = 120_000;
/** Before a view begins, the page requests its token and loads Power BI's client. */
const MAX_BEFORE_VIEW_MS = 30_000;
/** Later than that of any event: a view with this `load_seq` and `render_seq` has no opening time. */
const UNMEASURED = -1;

/**
 * Id of a view: a client cannot name the view of another person, and the id does not reveal the person, because the client's
 * random id is not stored.
 */
export function viewKey(userId: string, reportId: string, viewId: string): string {
  const hex = hash('sha256', `${userId}\n${reportId}\n${viewId}`).slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export type NewView = Pick<View, 'id' | 'started_at' | 'report_id' | 'workspace_id' | 'person' | 'by_admin'>;

/** A view that is not measured has no opening time, whatever its events contain. */
export const newView = (view: NewView, isMeasured: boolean): View => ({
  ...view,
  page_views: 0,
  failures: 0,
  visible_ms: 0,
  load_ms: null,
  load_seq: isMeasured ? null : UNMEASURED,
  render_ms: null,
  render_seq: isMeasured ? null : UNMEASURED,
  seqs: [],
  pages: null,
  page_names: null,
  errors: null,
});

const ageOf = ({ started_at }: View, at: Date): number => Math.max(0, at.getTime() - started_at.getTime());

/** Counts from the request for the report, which precedes the view. */
const elapsed = (view: View, { at, ms }: UsageEvent, now: Date): number => {
  const age = Math.min(ageOf(view, at), ageOf(view, now));
  return Math.min(ms ?? age, age + MAX_BEFORE_VIEW_MS, MAX_MS);
};

function count(view: View, event: UsageEvent): void {
  if (event.kind === 'page') {
    view.page_views += 1;
    if (event.page === undefined || (view.pages?.length ?? 0) >= MAX_PAGES) return;
    view.pages = [...(view.pages ?? []), event.page];
    if (event.pageName !== undefined) view.page_names = { ...view.page_names, [event.page]: event.pageName };
  } else if (event.kind === 'error') {
    view.failures += 1;
    if ((view.errors?.length ?? 0) < MAX_ERRORS)
      view.errors = [...(view.errors ?? []), event.code ?? 'unknown'];
  }
}

/** `rendered` fires for each rendering: the first one by `seq` counts, in whichever order they arrive. */
function measure(view: View, event: UsageEvent, now: Date): void {
  const { kind, seq } = event;
  if (kind === 'loaded' && seq < (view.load_seq ?? Infinity))
    Object.assign(view, { load_ms: elapsed(view, event, now), load_seq: seq });
  if (kind === 'rendered' && seq < (view.render_seq ?? Infinity))
    Object.assign(view, { render_ms: elapsed(view, event, now), render_seq: seq });
}

/** The longest visible time counts, at most the time since the view was opened. Returns by how much it may increase. */
export function visibleIncrease(view: View, { kind, ms = 0 }: UsageEvent, now: Date): number {
  if (kind !== 'closed') return 0;
  return Math.max(0, Math.min(ms, ageOf(view, now) + GRACE_MS, MAX_MS) - view.visible_ms);
}

/** Visible time that all views of a token may have: that of two windows side by side. */
export const visibleLimit = (issuedAt: Date, now: Date): number =>
  2 * Math.max(0, now.getTime() - issuedAt.getTime()) + GRACE_MS;

/**
 * Adds the event to the view, and at most `visibleMs` to its visible time. Returns false, and changes nothing, for an event that
 * is already part of it.
 */
export function addEvent(view: View, event: UsageEvent, now: Date, visibleMs: number): boolean {
  if (view.seqs.includes(event.seq)) return false;
  view.seqs.push(event.seq);
  count(view, event);
  measure(view, event, now);
  view.visible_ms += Math.min(visibleMs, visibleIncrease(view, event, now));
  return true;
}
