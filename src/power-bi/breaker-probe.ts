import { Logger } from '@nestjs/common';
import type { Timing } from './timing.js';
import type { UpstreamCalls } from './upstream-calls.js';

const EVERY_MS = 10_000;

/**
 * Probes the upstream while the breaker is open and closes the breaker on success. The breaker's own delay doubles up
 * to a minute; the probe saves callers that wait once the upstream has recovered.
 */
export class BreakerProbe {
  private readonly logger = new Logger(BreakerProbe.name);
  private readonly closing = new AbortController();
  private running = false;

  constructor(
    private readonly calls: UpstreamCalls,
    private readonly timing: Timing,
    private readonly probe: (signal: AbortSignal) => Promise<void>,
  ) {
    calls.breaker.onOpen(() => this.start());
  }

  stop(): void {
    this.closing.abort();
  }

  private start(): void {
    if (this.running) return;
    this.running = true;
    this.logger.warn('the circuit breaker for Power BI is open: only probe requests are sent');
    this.run()
      .catch((error: unknown) => this.logger.debug({ msg: 'the probe of Power BI stopped', err: error }))
      .finally(() => (this.running = false));
  }

  private async run(): Promise<void> {
    const { signal } = this.closing;
    while (!signal.aborted) {
      await this.timing.sleep(EVERY_MS, signal);
      if (!this.calls.breaker.isOpen) return;
      if (await this.succeeds(signal)) {
        this.calls.breaker.close();
        this.logger.log('the circuit breaker for Power BI is closed');
        return;
      }
    }
  }

  private async succeeds(signal: AbortSignal): Promise<boolean> {
    try {
      await this.probe(signal);
      return true;
    } catch {
      return false;
    }
  }
}
