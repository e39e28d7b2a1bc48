import type { Environment } from './environment.js';
import { type Opening, ReportView } from './report-view.js';
import type { TokenRenewer } from './token-renewer.js';
import type { PowerBiReport } from './types.js';
import type { UsageQueue } from './usage-queue.js';

const HEARTBEAT_MS = 60_000;

/** Reports the views of all attached reports of the page, with one timer. */
export class UsageReporter {
  private readonly views = new Set<ReportView>();
  private cancelTimer = (): void => undefined;
  private removeListener = (): void => undefined;

  constructor(
    private readonly environment: Environment,
    private readonly queue: UsageQueue,
  ) {}

  begin(): Opening {
    return { at: this.environment.monotonic(), isVisible: this.environment.isVisible() };
  }

  /** Starts a view. Returns a function that ends it. */
  open(report: PowerBiReport, renewer: TokenRenewer, opening: Opening): () => void {
    const { environment, queue } = this;
    if (this.views.size === 0) this.start();
    const view = new ReportView({ environment, queue, report, renewer, opening });
    this.views.add(view);
    return () => this.close(view);
  }

  private close(view: ReportView): void {
    if (!this.views.delete(view)) return;
    view.close();
    // Deferred, so that reports that are removed together share a request.
    queueMicrotask(() => this.queue.flush());
    if (this.views.size > 0) return;
    this.cancelTimer();
    this.removeListener();
  }

  private start(): void {
    this.removeListener = this.environment.onVisibility((isVisible) => this.setVisible(isVisible));
    this.schedule();
  }

  private schedule(): void {
    this.cancelTimer = this.environment.after(HEARTBEAT_MS, () => {
      this.schedule();
      for (const view of this.views) {
        if (view.isEmbedded) view.reportTime();
        else this.close(view);
      }
    });
  }

  private setVisible(isVisible: boolean): void {
    for (const view of this.views) view.setVisible(isVisible);
    if (!isVisible) this.queue.flush(true);
  }
}
