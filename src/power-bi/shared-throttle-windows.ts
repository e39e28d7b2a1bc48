import { Logger } from '@nestjs/common';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../core/clock.js';
import { withoutDeadline } from '../core/http/request-context.js';
import { type ThrottleWindow, type ThrottleWindows, ProcessThrottleWindows } from './throttle-windows.js';
import type { SharedCall, SharedThrottleWindow } from './shared-throttle-window.entity.js';

/** Maximum delay until a throttle window of another replica is observed. */
const POLL_INTERVAL_MS = 1000;

/**
 * Throttle windows that all replicas share through the database. Without the database each replica uses its own:
 * exceeding the rate limit slightly is better than not calling Power BI.
 */
export class SharedThrottleWindows implements ThrottleWindows {
  private readonly logger = new Logger(SharedThrottleWindows.name);
  private readonly own: ProcessThrottleWindows;
  private readonly refreshedAt = new Map<string, { at: number; done: Promise<void> }>();

  constructor(
    private readonly throttleWindows: Repository<SharedThrottleWindow>,
    private readonly calls: Repository<SharedCall>,
    private readonly clock: Clock,
  ) {
    this.own = new ProcessThrottleWindows(clock);
  }

  async find(scope: string): Promise<ThrottleWindow | undefined> {
    const known = await this.own.find(scope);
    if (known !== undefined) return known;
    await this.refresh(scope);
    return this.own.find(scope);
  }

  async set(scope: string, pause: ThrottleWindow): Promise<void> {
    await this.own.set(scope, pause);
    await this.bestEffort(() =>
      this.throttleWindows.query(
        `INSERT INTO power_bi_pauses AS held (scope, until, status) VALUES ($1, $2, $3)
         ON CONFLICT (scope) DO UPDATE SET until = excluded.until, status = excluded.status
         WHERE held.until < excluded.until`,
        [scope, pause.until, pause.status],
      ),
    );
  }

  async spend(scope: string, at: Date, since: Date): Promise<Date[] | undefined> {
    return this.bestEffort(async () => {
      await this.calls.insert({ id: uuidv7(), scope, at });
      await this.calls.delete({ scope, at: LessThan(since) });
      const made = await this.calls.find({ where: { scope, at: MoreThan(since) }, order: { at: 'ASC' } });
      return made.map((call) => call.at);
    });
  }

  private refresh(scope: string): Promise<void> {
    const now = this.clock.now().getTime();
    const last = this.refreshedAt.get(scope);
    if (last !== undefined && Math.abs(now - last.at) < POLL_INTERVAL_MS) return last.done;
    const done = withoutDeadline(() => this.read(scope));
    this.refreshedAt.set(scope, { at: now, done });
    return done;
  }

  private async read(scope: string): Promise<void> {
    const held = await this.bestEffort(() => this.throttleWindows.findOneBy({ scope }));
    if (held !== undefined && held !== null) await this.own.set(scope, held);
  }

  private async bestEffort<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.logger.debug({ msg: 'throttle windows are not shared', err: error });
      return undefined;
    }
  }
}
