import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { execute } from '../core/database/execute.js';
import { withOwnDeadline } from '../core/http/request-context.js';
import { IssuedEmbedToken } from './issued-token.entity.js';

const FLUSH_MS = 1000;

/** How often a token was returned again, and when last. */
interface Uses {
  count: number;
  lastAt: Date;
}

/**
 * Counts how often tokens are returned again, and writes all counts once a second: a write for each would cost more
 * than the token. A replica that is killed loses the counts of its last second; the audit trail records each issued
 * token.
 */
@Injectable()
export class TokenUsageService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(TokenUsageService.name);
  private readonly uses = new Map<string, Uses>();
  private timer?: NodeJS.Timeout;
  private running = Promise.resolve();
  private next?: Promise<void>;

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
    this.add(grantId, { count: 1, lastAt: this.clock.now() });
  }

  /** Writes all counts, also those that are being written. Never throws: what could not be written is left to the next flush. */
  flush(): Promise<void> {
    this.next ??= this.running.then(() => {
      this.next = undefined;
      this.running = this.write();
      return this.running;
    });
    return this.next;
  }

  private async write(): Promise<void> {
    if (this.uses.size === 0) return;
    const counted = [...this.uses];
    this.uses.clear();
    try {
      await withOwnDeadline(() =>
        execute(
          this.grants.manager,
          `UPDATE issued_tokens SET times_issued = times_issued + used.count, last_issued_at = used.last_at
           FROM unnest($1::uuid[], $2::int[], $3::timestamptz[]) AS used (id, count, last_at) WHERE issued_tokens.id = used.id`,
          [
            counted.map(([id]) => id),
            counted.map(([, { count }]) => count),
            counted.map(([, { lastAt }]) => lastAt),
          ],
        ),
      );
    } catch (error) {
      this.logger.warn({ msg: 'token usage could not be recorded; the next flush retries', err: error });
      for (const [id, uses] of counted) this.add(id, uses);
    }
  }

  private add(grantId: string, { count, lastAt }: Uses): void {
    const known = this.uses.get(grantId);
    const later = known !== undefined && known.lastAt > lastAt ? known.lastAt : lastAt;
    this.uses.set(grantId, { count: (known?.count ?? 0) + count, lastAt: later });
  }
}
