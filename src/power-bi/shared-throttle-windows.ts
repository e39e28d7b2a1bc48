import { Logger } from '@nestjs/common';
import { LessThan, MoreThan, type Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Clock } from '../core/clock.js';
import { withoutDeadline } from '../core/http/request-context.js';
import { type Pause, type Pauses, ProcessPauses } from './throttle-windows.js';
import type { SharedCall, SharedPause } from './shared-throttle-window.entity.js';

/** What another replica was told is known here after this long at most. */
const LOOK_MS = 1000;

/**
 * Pauses that the replicas keep together, by way of the database. Without it each keeps its own: that Power BI is asked
 * a little too often is better than not at all.
 */
export class SharedPauses implements Pauses {
  private readonly logger = new Logger(SharedPauses.name);
  private readonly own: ProcessPauses;
  private readonly looked = new Map<string, { at: number; done: Promise<void> }>();

  constructor(
    private readonly pauses: Repository<SharedPause>,
    private readonly calls: Repository<SharedCall>,
    private readonly clock: Clock,
  ) {
    this.own = new ProcessPauses(clock);
  }

  async find(scope: string): Promise<Pause | undefined> {
    const known = await this.own.find(scope);
    if (known !== undefined) return known;
    await this.look(scope);
    return this.own.find(scope);
  }

  async set(scope: string, pause: Pause): Promise<void> {
    await this.own.set(scope, pause);
    await this.tolerantly(() =>
      this.pauses.query(
        `INSERT INTO power_bi_pauses AS held (scope, until, status) VALUES ($1, $2, $3)
         ON CONFLICT (scope) DO UPDATE SET until = excluded.until, status = excluded.status
         WHERE held.until < excluded.until`,
        [scope, pause.until, pause.status],
      ),
    );
  }

  async spend(scope: string, at: Date, since: Date): Promise<Date[] | undefined> {
    return this.tolerantly(async () => {
      await this.calls.insert({ id: uuidv7(), scope, at });
      await this.calls.delete({ scope, at: LessThan(since) });
      const made = await this.calls.find({ where: { scope, at: MoreThan(since) }, order: { at: 'ASC' } });
      return made.map((call) => call.at);
    });
  }

  private look(scope: string): Promise<void> {
    const now = this.clock.now().getTime();
    const last = this.looked.get(scope);
    if (last !== undefined && Math.abs(now - last.at) < LOOK_MS) return last.done;
    const done = withoutDeadline(() => this.read(scope));
    this.looked.set(scope, { at: now, done });
    return done;
  }

  private async read(scope: string): Promise<void> {
    const held = await this.tolerantly(() => this.pauses.findOneBy({ scope }));
    if (held !== undefined && held !== null) await this.own.set(scope, held);
  }

  private async tolerantly<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.logger.debug({ msg: 'pauses are not shared', err: error });
      return undefined;
    }
  }
}
