import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { execute } from '../core/database/execute.js';
import { withoutDeadline } from '../core/http/request-context.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

const FLUSH_MS = 1000;

/**
 * Counts how often tokens are returned again, and writes all counts once a second: a write for each would cost more
 * than the token. A replica that is killed loses the counts of its last second; the audit trail records each issued
 * token.
 */
@Injectable()
export class TokenUsageService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(TokenUsageService.name);
  private readonly counts = new Map<string, number>();
  private timer?: NodeJS.Timeout;

  constructor(
    @InjectRepository(IssuedEmbedToken) private readonly grants: Repository<IssuedEmbedToken>,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), FLUSH_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  recordUse(grantId: string): void {
    this.counts.set(grantId, (this.counts.get(grantId) ?? 0) + 1);
  }

  /** Never throws: counts that could not be written are written by the next flush. */
  async flush(): Promise<void> {
    if (this.counts.size === 0) return;
    const counted = [...this.counts];
    this.counts.clear();
    try {
      await withoutDeadline(() =>
        execute(
          this.grants.manager,
          `UPDATE issued_tokens SET times_issued = times_issued + used.count, last_issued_at = $3
           FROM unnest($1::uuid[], $2::int[]) AS used (id, count) WHERE issued_tokens.id = used.id`,
          [counted.map(([id]) => id), counted.map(([, count]) => count), this.clock.now()],
        ),
      );
    } catch (error) {
      this.logger.warn({ msg: 'token usage could not be recorded; the next flush retries', err: error });
      for (const [id, count] of counted) this.counts.set(id, (this.counts.get(id) ?? 0) + count);
    }
  }
}
