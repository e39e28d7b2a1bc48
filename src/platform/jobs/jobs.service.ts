import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { type Db, type JobWithMetadata, PgBoss } from 'pg-boss';
import type { EntityManager } from 'typeorm';
import { emit } from '../../core/telemetry/telemetry-events.js';
import { StartupTasks } from '../../core/lifecycle/startup-tasks.service.js';
import { Config } from '../../core/config/config.js';
import { execute } from '../../core/database/execute.js';
import { NotificationConnectionService } from '../../core/database/notification-connection.service.js';
import type { QueueName } from '../../core/database/queues.js';
import { type Backlog, readBacklog } from './backlog.js';
import { QueueOutage } from './queue-outage.js';

const POLL_SECONDS = 1;
const CONNECTIONS = 3;
/** Longer than a statement of the queue may take. Without it a query on a connection whose server has vanished would not end. */
const QUERY_TIMEOUT_MS = 10_000;

interface Attempt {
  /** No retry follows if this attempt fails. */
  isLast: boolean;
}

type Handler<T> = (data: T, attempt: Attempt) => Promise<void>;

const inTransaction = (tx: EntityManager): Db => ({
  executeSql: (text, values = []) => execute(tx, text, values, false),
});

/** Background jobs that survive a crash: they are stored in PostgreSQL, next to the data that they refer to. */
@Injectable()
export class JobsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsService.name);
  private boss?: PgBoss;
  private pool?: Pool;
  private readonly outage = new QueueOutage(this.logger, () => this.isFailing);

  constructor(
    private readonly config: Config,
    private readonly notifications: NotificationConnectionService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ step: 'jobs', after: 'invalidation' }, () => this.start());
  }

  /**
   * Call it in `onApplicationBootstrap`. Readiness waits for this work, which begins once jobs can be handled and
   * scheduled.
   */
  onStarted(work: (signal: AbortSignal) => Promise<void>): void {
    this.startup.begin({ after: 'jobs' }, work);
  }

  get running(): boolean {
    return this.boss !== undefined;
  }

  /** For how many seconds jobs have not been fetched because the database fails; undefined while they are. */
  get failingSeconds(): number | undefined {
    return this.outage.seconds;
  }

  /** Whether a worker has failed since it last fetched a job, or found none. */
  private get isFailing(): boolean {
    const workers = this.boss?.getWipData() ?? [];
    return workers.some(({ lastErrorOn, lastFetchedOn }) => (lastErrorOn ?? 0) > (lastFetchedOn ?? 0));
  }

  /** The CLI does not start the queue by default, and calls this where it needs it. */
  async start(): Promise<void> {
    this.pool ??= this.openPool();
    const boss = new PgBoss({
      db: this.onPool(this.pool),
      useListenNotify: true,
      migrate: false,
      createSchema: false,
      // Reindexing changes the schema, which is reserved for its owner.
      reindex: false,
      monitorIntervalSeconds: 10,
    });
    boss.on('error', (error) => this.outage.record(error));
    await boss.start();
    this.boss = boss;
  }

  /**
   * Runs before every `onApplicationShutdown`, because jobs use what those hooks flush and close. Waits at most 5 s for
   * running jobs; unfinished jobs run again on another replica.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await this.boss?.stop({ graceful: true, timeout: 5000 });
    this.outage.stop();
    this.boss = undefined;
    await this.pool?.end();
    this.pool = undefined;
  }

  /** Enqueues in the transaction: the job exists if and only if the transaction commits. It starts after `seconds`. */
  async send(tx: EntityManager, queue: QueueName, data: object, seconds = 0): Promise<void> {
    const delay = seconds > 0 ? { startAfter: seconds } : {};
    await this.started.send(queue, data, { db: inTransaction(tx), ...delay });
  }

  /**
   * Runs the work at each of these times (cron, UTC) on one replica, with `atStart` also after every start. Call it in
   * `onApplicationBootstrap`.
   */
  repeat(queue: QueueName, cron: string, work: () => Promise<void>, { atStart = false } = {}): void {
    this.onStarted(async () => {
      await this.work(queue, work);
      await this.started.schedule(queue, cron);
      if (atStart) await this.started.send(queue, {});
    });
  }

  /**
   * Calls the handler with up to `concurrency` jobs at a time, one after another without a pause. A job whose handler
   * throws is retried.
   */
  async work<T extends object>(queue: QueueName, handler: Handler<T>, concurrency = 1): Promise<void> {
    const options = {
      localConcurrency: concurrency,
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      includeMetadata: true,
    } as const;
    const boss = this.started;
    let worker = '';
    worker = await boss.work(queue, options, async (jobs: JobWithMetadata<T>[]) => {
      for (const { data, retryCount, retryLimit } of jobs) {
        await this.attempt(queue, retryCount >= retryLimit, (attempt) => handler(data, attempt));
      }
      // Otherwise a notification for several jobs starts one, and each of the others waits for a poll.
      boss.notifyWorker(worker);
    });
  }

  private async attempt(
    queue: QueueName,
    isLast: boolean,
    work: (attempt: Attempt) => Promise<void>,
  ): Promise<void> {
    const startedAt = performance.now();
    const seconds = (): number => (performance.now() - startedAt) / 1000;
    try {
      await work({ isLast });
    } catch (error) {
      emit('job_done', { queue, result: isLast ? 'given_up' : 'failed', seconds: seconds() });
      const failed = new JobFailed(error);
      this.logger.warn({ msg: 'a job failed', queue, is_last: isLast, err: failed });
      throw failed;
    }
    emit('job_done', { queue, result: 'completed', seconds: seconds() });
  }

  /** Returns the backlog of all queues, over the connections of the job queue. Empty before the start. */
  async backlog(): Promise<Backlog[]> {
    return this.boss === undefined ? [] : readBacklog(this.boss.getDb());
  }

  /** A separate pool: jobs continue when requests occupy all other connections. */
  private openPool(): Pool {
    const pool = new Pool({
      connectionString: this.config.database.url,
      application_name: 'vitrine jobs',
      connectionTimeoutMillis: 10_000,
      query_timeout: QUERY_TIMEOUT_MS,
      max: CONNECTIONS,
    });
    // Of an idle connection: the next fetch opens another one, or fails.
    pool.on('error', (error) => this.logger.debug({ msg: 'job queue', err: error }));
    return pool;
  }

  /**
   * Queries may go through PgBouncer. Notifications need a session; they only reduce latency, because the queue also
   * polls.
   */
  private onPool(pool: Pool): Db {
    return {
      executeSql: (text, values) => pool.query(text, values),
      listen: (channel, onPayload, onConnect) => this.notifications.listen({ channel, onPayload, onConnect }),
    };
  }

  private get started(): PgBoss {
    if (this.boss === undefined) throw new Error('The job queue is not started');
    return this.boss;
  }
}

/**
 * The queue stores it, and it is logged. Without the text and the values of the error: the response of an SMTP server, or the
 * parameters of a statement, can contain the address of a person, which would remain after the person is erased.
 */
class JobFailed extends Error {
  readonly code: unknown;
  readonly responseCode: unknown;
  readonly command: unknown;

  constructor(error: unknown) {
    const { name, stack, code, responseCode, command } = error as Error & Partial<JobFailed>;
    super();
    Object.assign(this, { name, code, responseCode, command });
    const frames = stack?.split('\n').filter((line) => line.startsWith('    at '));
    this.stack = [name, ...(frames ?? [])].join('\n');
  }
}
