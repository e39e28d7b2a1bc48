import { hash } from 'node:crypto';
import type { UsageEvent } from './usage-event.js';

/** A row of `usage_views`: one opening of a report. */
export interface View {
  id: string;
  started_at: Date;
  report_id: string;
  workspace_id: string;
  /** Null if no person is stored. */
  person: number | null;
  by_admin: boolean;
  page_views: number;
  failures: number;
  visible_ms: number;
  load_ms: number | null;
  load_seq: number | null;
  render_ms: number | null;
  render_seq: number | null;
  /** Events that are part of this row; each counts once. */
  seqs: number[];
  pages: string[] | null;
  errors: string[] | null;
}

const MAX_PAGES = 200;
const MAX_ERRORS = 20;
const MAX_MS = 86_400_000;
const GRACE_MS = 120_000;

/**
 * Id of a view: a client cannot name the view of another person, and the id does not reveal the person, because the client's
 * random id is not stored.
 */
export function viewKey(userId: string, reportId: string, viewId: string): string {
  const hex = hash('sha256', `${userId}\n${reportId}\n${viewId}`).slice(0, 32);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

export type NewView = Pick<View, 'id' | 'started_at' | 'report_id' | 'workspace_id' | 'person' | 'by_admin'>;

export const newView = (view: NewView): View => ({
  ...view,
  page_views: 0,
  failures: 0,
  visible_ms: 0,
  load_ms: null,
  load_seq: null,
  render_ms: null,
  render_seq: null,
  seqs: [],
  pages: null,
  errors: null,
});

const elapsed = ({ started_at }: View, { at, ms }: UsageEvent): number =>
  Math.min(MAX_MS, Math.max(0, ms ?? at.getTime() - started_at.getTime()));

function count(view: View, event: UsageEvent): void {
  if (event.kind === 'page') {
    view.page_views += 1;
    if (event.page !== undefined && (view.pages?.length ?? 0) < MAX_PAGES)
      view.pages = [...(view.pages ?? []), event.page];
  } else if (event.kind === 'error') {
    view.failures += 1;
    if ((view.errors?.length ?? 0) < MAX_ERRORS)
      view.errors = [...(view.errors ?? []), event.code ?? 'unknown'];
  }
}

/** `rendered` fires for each rendering: the first one by `seq` counts, in whichever order they arrive. */
function measure(view: View, event: UsageEvent): void {
  const { kind, seq } = event;
  if (kind === 'loaded' && seq < (view.load_seq ?? Infinity))
    Object.assign(view, { load_ms: elapsed(view, event), load_seq: seq });
  if (kind === 'rendered' && seq < (view.render_seq ?? Infinity))
    Object.assign(view, { render_ms: elapsed(view, event), render_seq: seq });
}

/** The longest visible time counts, at most the time since the view was opened. */
function extend(view: View, { kind, ms }: UsageEvent, now: Date): void {
  if (kind !== 'closed' || ms === undefined) return;
  const limit = now.getTime() - view.started_at.getTime() + GRACE_MS;
  view.visible_ms = Math.max(view.visible_ms, Math.min(ms, limit, MAX_MS));
}

/** Adds the event to the view. Returns false, and changes nothing, for an event that is already part of it. */
export function addEvent(view: View, event: UsageEvent, now: Date): boolean {
  if (view.seqs.includes(event.seq)) return false;
  view.seqs.push(event.seq);
  count(view, event);
  measure(view, event);
  extend(view, event, now);
  return true;
}
