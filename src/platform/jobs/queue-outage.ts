import type { Logger } from '@nestjs/common';

const LINE_MS = 60_000;
/** As often as the workers fetch. */
const WATCH_MS = 1000;

/** Logs an outage of the queue in a line a minute: every worker of every replica fails each second. */
export class QueueOutage {
  private beganAt?: number;
  private loggedAt = 0;
  private failures = 0;
  private watch?: NodeJS.Timeout;

  constructor(
    private readonly logger: Logger,
    /** Whether the workers fail. Other failures, such as of maintenance, are logged one by one. */
    private readonly isFailing: () => boolean,
  ) {}

  get seconds(): number | undefined {
    return this.beganAt === undefined ? undefined : Math.round((performance.now() - this.beganAt) / 1000);
  }

  record(error: unknown): void {
    this.failures += 1;
    if (this.beganAt !== undefined) return;
    if (!this.isFailing()) {
      this.logger.warn({ msg: 'job queue', err: error });
      return;
    }
    this.logger.warn({ msg: 'background jobs wait: the queue fails; check the database', err: error });
    this.failures = 1;
    this.beganAt = this.loggedAt = performance.now();
    this.watch = setInterval(() => this.look(), WATCH_MS).unref();
  }

  stop(): void {
    clearInterval(this.watch);
    this.beganAt = undefined;
  }

  private look(): void {
    const { seconds, failures } = this;
    if (!this.isFailing()) {
      this.stop();
      this.logger.log({ msg: 'background jobs continue: the queue has recovered', seconds, failures });
    } else if (performance.now() - this.loggedAt >= LINE_MS) {
      this.loggedAt = performance.now();
      this.logger.warn({ msg: 'background jobs wait: the queue still fails', seconds, failures });
    }
  }
}
