import { Attachment } from './attachment.js';
import type { TokenRenewer, Listener } from './token-renewer.js';
import type { EmbedProblem } from './problem.js';
import type { Opening } from './report-view.js';
import type { UsageReporter } from './usage-reporter.js';
import type { EmbedToken, KeepOptions, KeptToken, PowerBiReport } from './types.js';

interface Waiting {
  resolve: (token: EmbedToken) => void;
  reject: (reason: unknown) => void;
}

/** A subscriber to a token; one renewer can serve several. */
export class Subscription implements KeptToken, Listener {
  private readonly attachments = new Map<EventTarget, Attachment>();
  private waiting: Waiting[] = [];
  /** Why the subscription ended; undefined while it is active. */
  private end: { reason: unknown } | undefined;

  /** When the page requested the report: the beginning of the first view. */
  private opening: Opening | undefined;

  constructor(
    private readonly renewer: TokenRenewer,
    private readonly options: KeepOptions,
    private readonly usage: UsageReporter | undefined,
  ) {
    const { signal } = options;
    this.opening = usage?.begin();
    renewer.add(this);
    signal?.addEventListener('abort', this.stop);
    if (signal?.aborted) this.stop();
  }

  token = (): Promise<EmbedToken> => {
    if (this.end !== undefined) return Promise.reject(this.end.reason);
    const { isActive } = this.renewer;
    if (isActive !== undefined) return Promise.resolve(isActive);
    return new Promise((resolve, reject) => this.waiting.push({ resolve, reject }));
  };

  attach = (report: PowerBiReport): (() => void) => {
    // A page that waited for the token may have moved on: its element may contain the report of another subscription.
    if (this.end !== undefined) return () => undefined;
    const previous = this.attachments.get(report.element);
    if (previous?.report === report) {
      previous.onLoaded();
      return () => this.detach(previous);
    }
    // An element contains one report, so a new report replaces the previous one.
    previous?.detach();
    const attachment = new Attachment(report, this.renewer, this.reportView(report));
    this.attachments.set(report.element, attachment);
    return () => this.detach(attachment);
  };

  renew = (): void => {
    if (this.end === undefined) this.renewer.renew();
  };

  stop = (): void => this.finish(new DOMException('Stopped.', 'AbortError'));

  onToken(token: EmbedToken): void {
    for (const attachment of this.attachments.values()) void attachment.setToken(token);
    for (const { resolve } of this.waiting.splice(0)) resolve(token);
    call(this.options.onToken, token);
  }

  onTrouble(problem: EmbedProblem): void {
    call(this.options.onTrouble, problem);
  }

  onRecovered(): void {
    call(this.options.onRecovered);
  }

  onExpired(): void {
    call(this.options.onExpired);
  }

  onEnded(problem: EmbedProblem): void {
    // The callback of another subscription has stopped this one.
    if (this.end !== undefined) return;
    const { onRevoked, onFailed } = this.options;
    this.finish(problem);
    call(problem.kind === 'revoked' ? onRevoked : onFailed, problem);
  }

  private detach(attachment: Attachment): void {
    const { element } = attachment.report;
    attachment.detach();
    if (this.attachments.get(element) === attachment) this.attachments.delete(element);
  }

  /** Returns a function that ends the view. */
  private reportView(report: PowerBiReport): () => void {
    const { usage, opening = usage?.begin() } = this;
    if (usage === undefined || opening === undefined) return () => undefined;
    this.opening = undefined;
    return usage.open(report, this.renewer, opening);
  }

  private finish(reason: unknown): void {
    if (this.end !== undefined) return;
    this.end = { reason };
    this.options.signal?.removeEventListener('abort', this.stop);
    for (const attachment of this.attachments.values()) attachment.detach();
    this.attachments.clear();
    for (const { reject } of this.waiting.splice(0)) reject(reason);
    this.renewer.remove(this);
  }
}

/** An exception in a callback is reported as an unhandled rejection in the page and does not stop the renewal. */
function call<T extends unknown[]>(callback: ((...values: T) => void) | undefined, ...values: T): void {
  void (async () => callback?.(...values))();
}
