import { Attachment } from './attachment.js';
import type { TokenRenewer, Listener } from './token-renewer.js';
import type { EmbedProblem } from './problem.js';
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

  constructor(
    private readonly renewer: TokenRenewer,
    private readonly options: KeepOptions,
  ) {
    const { signal } = options;
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
    const attachment = new Attachment(report, this.renewer);
    // An element contains one report, so a new report replaces the previous one.
    this.attachments.get(report.element)?.detach();
    this.attachments.set(report.element, attachment);
    return () => {
      attachment.detach();
      if (this.attachments.get(report.element) === attachment) this.attachments.delete(report.element);
    };
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
    const { onRevoked, onFailed } = this.options;
    this.finish(problem);
    call(problem.kind === 'revoked' ? onRevoked : onFailed, problem);
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
