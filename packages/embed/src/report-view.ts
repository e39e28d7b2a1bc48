import type { Environment } from './environment.js';
import type { TokenRenewer } from './token-renewer.js';
import type { PowerBiReport } from './types.js';
import type { UsageEvent, UsageQueue } from './usage-queue.js';
import { VisibleTime } from './visible-time.js';

/** The request for a report. */
export interface Opening {
  /** Monotonic time. */
  at: number;
  isVisible: boolean;
}

interface Parts {
  environment: Environment;
  queue: UsageQueue;
  report: PowerBiReport;
  renewer: TokenRenewer;
  opening: Opening;
}

type Details = Pick<UsageEvent, 'page' | 'page_name' | 'ms' | 'code'>;

/** The largest `seq` of the service. Half of them are kept for `closed`, one a minute for a day and more. */
const MAX_SEQ = 4095;
const MAX_PAGE_NAME = 200;
const unsafe = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/gu;
const errorCode = /^[\w.-]{1,64}$/;

/** One opening of a report, which renewed tokens and reloads continue. */
export class ReportView {
  private readonly id: string;
  private readonly visibleTime: VisibleTime;
  private readonly listeners: Record<string, (event: Event) => void>;
  private seq = 0;
  private wasHidden: boolean;
  private reportedMs = -1;
  private page: string | undefined;
  private readonly measured = new Set<'loaded' | 'rendered'>();

  constructor(private readonly parts: Parts) {
    const { environment, report, opening } = parts;
    const isVisible = environment.isVisible();
    this.id = environment.uuid();
    this.visibleTime = new VisibleTime(environment.monotonic, isVisible);
    this.wasHidden = !(opening.isVisible && isVisible);
    this.listeners = {
      loaded: () => this.measure('loaded'),
      rendered: () => this.onRendered(),
      pageChanged: (event) => this.onPage(detailOf(event).newPage),
      error: (event) => this.onError(detailOf(event)),
    };
    for (const [name, listener] of Object.entries(this.listeners))
      report.element.addEventListener(name, listener);
    this.record('opened');
  }

  /** False when the page has removed the report without detaching it. */
  get isEmbedded(): boolean {
    return this.parts.report.iframe?.isConnected ?? true;
  }

  setVisible(isVisible: boolean): void {
    this.visibleTime.set(isVisible);
    if (isVisible) return;
    this.wasHidden = true;
    this.reportTime();
  }

  /** `closed` contains the visible time so far, and the view can continue after it. */
  reportTime(): void {
    const ms = this.visibleTime.read();
    if (ms === this.reportedMs) return;
    this.reportedMs = ms;
    this.record('closed', { ms });
  }

  close(): void {
    const { element } = this.parts.report;
    for (const [name, listener] of Object.entries(this.listeners))
      element.removeEventListener(name, listener);
    this.reportTime();
  }

  /** Browsers draw nothing in a hidden page, so the time of an opening in the background says nothing. */
  private measure(kind: 'loaded' | 'rendered'): void {
    if (this.wasHidden || this.measured.has(kind)) return;
    this.measured.add(kind);
    this.record(kind, { ms: Math.round(this.parts.environment.monotonic() - this.parts.opening.at) });
  }

  private onRendered(): void {
    this.measure('rendered');
    if (this.page === undefined) void this.reportFirstPage();
  }

  /** Power BI raises `pageChanged` only when another page is shown. */
  private async reportFirstPage(): Promise<void> {
    try {
      const page = await this.parts.report.getActivePage?.();
      if (this.page === undefined) this.onPage(page);
    } catch {
      // Paginated reports have no pages.
    }
  }

  private onPage(page: unknown): void {
    const { name, displayName } = (page ?? {}) as { name?: unknown; displayName?: unknown };
    if (typeof name !== 'string' || name === '' || name.length > MAX_PAGE_NAME || name === this.page) return;
    this.page = name;
    this.record('page', { page: name, page_name: readable(displayName) });
  }

  private onError({ message, errorCode: number }: Record<string, unknown>): void {
    const code = [message, number].find((each) => typeof each === 'string' && errorCode.test(each));
    this.record('error', { code: code as string | undefined });
  }

  private record(kind: UsageEvent['kind'], details: Details = {}): void {
    const { queue, renewer } = this.parts;
    const { held, serverTime } = renewer;
    // A report that is attached before its token is opened with the first event after it.
    if (held === undefined || serverTime === undefined || !Number.isFinite(serverTime)) return;
    if (this.seq === 0 && kind !== 'opened') this.record('opened');
    if (this.seq > (kind === 'closed' ? MAX_SEQ : MAX_SEQ / 2)) return;
    const at_ms = Math.round(serverTime);
    queue.add({
      view_id: this.id,
      token_id: held.token_id,
      seq: this.seq,
      kind,
      at_ms,
      ...details,
    });
    this.seq += 1;
  }
}

/** The service rejects an event whose page name is empty, too long or has control characters. */
function readable(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const text = name.replaceAll(unsafe, ' ').trim();
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(text) && text.length <= MAX_PAGE_NAME ? text : undefined;
}

const detailOf = (event: Event): Record<string, unknown> =>
  ((event as CustomEvent<unknown>).detail ?? {}) as Record<string, unknown>;
