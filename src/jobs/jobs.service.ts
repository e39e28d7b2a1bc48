import {
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Pool } from 'pg';
import { type Db, type JobWithMetadata, PgBoss, type Queue } from 'pg-boss';
import type { EntityManager } from 'typeorm';
import { emit } from '../core/telemetry/telemetry-events.js';
import { StartupTasks } from '../core/lifecycle/startup-tasks.service.js';
import { Config } from '../core/config/config.js';
import { NotificationConnectionService } from '../core/database/notification-connection.service.js';

/** Eight attempts within about four hours. */
const mail = {
  notify: true,
  retryLimit: 7,
  retryDelay: 60,
  retryBackoff: true,
  retryDelayMax: 7200,
  expireInSeconds: 60,
} as const;

const upkeep = { retryLimit: 5, retryDelay: 60, retryBackoff: true, expireInSeconds: 600 } as const;

/** All queues and their retry policies (delays in seconds, doubling up to the maximum). */
export const queues = {
  invitation_mail: mail,
  // A reset link is valid for 30 minutes: a later mail would be useless.
  password_reset_mail: { ...mail, retryLimit: 5, retryDelay: 30 },
  password_changed_mail: mail,
  // One at a time across all replicas; another replica takes over when the heartbeat stops.
  catalogue_sync: {
    notify: true,
    policy: 'singleton',
    retryLimit: 3,
    retryDelay: 5,
    expireInSeconds: 7200,
    heartbeatSeconds: 20,
  },
  session_upkeep: upkeep,
  audit_upkeep: upkeep,
  idempotency_upkeep: upkeep,
  embed_grant_upkeep: upkeep,
} as const satisfies Record<string, Omit<Queue, 'name'>>;

const POLL_SECONDS = 1;
const CONNECTIONS = 3;

export type QueueName = keyof typeof queues;

/** Job counts of a queue, and by how many seconds its oldest waiting job is overdue. */
export interface Backlog {
  queue: QueueName;
  waiting: number;
  running: number;
  /** Failed after the last attempt; retained for a limited time. */
  dead: number;
  oldestSeconds: number;
}

interface Attempt {
  /** No retry follows if this attempt fails. */
  isLast: boolean;
}

type Handler<T> = (data: T, attempt: Attempt) => Promise<void>;

const inTransaction = (tx: EntityManager): Db => ({
  executeSql: async (text, values) => ({ rows: (await tx.query(text, values)) as unknown[] }),
});

/** Background jobs that survive a crash: they are stored in PostgreSQL, next to the data that they refer to. */
@Injectable()
export class JobsService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(JobsService.name);
  private boss?: PgBoss;
  private pool?: Pool;

  constructor(
    private readonly config: Config,
    private readonly line: NotificationConnectionService,
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
    boss.on('error', (error) => this.logger.warn({ msg: 'job queue', err: error }));
    await boss.start();
    this.boss = boss;
  }

  /**
   * Runs before every `onApplicationShutdown`, because jobs use what those hooks flush and close. Waits at most 5 s for
   * running jobs; unfinished jobs run again on another replica.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await this.boss?.stop({ graceful: true, timeout: 5000 });
    this.boss = undefined;
    await this.pool?.end();
    this.pool = undefined;
  }

  /** Enqueues in the transaction: the job exists if and only if the transaction commits. */
  async send(tx: EntityManager, queue: QueueName, data: object): Promise<void> {
    await this.started.send(queue, data, { db: inTransaction(tx) });
  }

  /** Enqueues one job at each of these times (cron, UTC), regardless of the number of replicas. */
  async schedule(queue: QueueName, cron: string): Promise<void> {
    await this.started.schedule(queue, cron);
  }

  /** Calls the handler with one job at a time. A job whose handler throws is retried. */
  async work<T extends object>(queue: QueueName, handler: Handler<T>): Promise<void> {
    const options = {
      pollingIntervalSeconds: POLL_SECONDS,
      notifyPollingIntervalSeconds: POLL_SECONDS,
      includeMetadata: true,
    } as const;
    await this.started.work(queue, options, async (jobs: JobWithMetadata<T>[]) => {
      for (const { data, retryCount, retryLimit } of jobs) {
        await timed(queue, retryCount >= retryLimit, (attempt) => handler(data, attempt));
      }
    });
  }

  /** Returns the backlog of all queues, over the connections of the job queue. Empty before the start. */
  async backlog(): Promise<Backlog[]> {
    if (this.boss === undefined) return [];
    const { rows } = await this.boss.getDb().executeSql(
      `SELECT name, count(*) FILTER (WHERE state < 'active') AS waiting,
         count(*) FILTER (WHERE state = 'active') AS running,
         count(*) FILTER (WHERE state = 'failed') AS dead,
         extract(epoch FROM now() - min(start_after) FILTER (WHERE state < 'active')) AS oldest
       FROM pgboss.job WHERE name = ANY($1) GROUP BY name`,
      [Object.keys(queues)],
    );
    const found = new Map((rows as BacklogRow[]).map((row) => [row.name, row]));
    return (Object.keys(queues) as QueueName[]).map((queue) => backlogOf(queue, found.get(queue)));
  }

  /** A separate pool: jobs continue when requests occupy all other connections. */
  private openPool(): Pool {
    const pool = new Pool({
      connectionString: this.config.database.url,
      application_name: 'vitrine jobs',
      connectionTimeoutMillis: 10_000,
      max: CONNECTIONS,
    });
    pool.on('error', (error) => this.logger.warn({ msg: 'job queue', err: error }));
    return pool;
  }

  /**
   * Queries may go through PgBouncer. Notifications need a session; they only reduce latency, because the queue also
   * polls.
   */
  private onPool(pool: Pool): Db {
    return {
      executeSql: (text, values) => pool.query(text, values),
      listen: (channel, onPayload, onConnect) => this.line.listen({ channel, onPayload, onConnect }),
    };
  }

  private get started(): PgBoss {
    if (this.boss === undefined) throw new Error('The job queue is not started');
    return this.boss;
  }
}

interface BacklogRow {
  name: string;
  waiting: string;
  running: string;
  dead: string;
  oldest: string | null;
}

const backlogOf = (queue: QueueName, row?: BacklogRow): Backlog => ({
  queue,
  waiting: Number(row?.waiting ?? 0),
  running: Number(row?.running ?? 0),
  dead: Number(row?.dead ?? 0),
  oldestSeconds: Math.max(0, Number(row?.oldest ?? 0)),
});

/** Runs one attempt and emits its result. */
async function timed(
  queue: QueueName,
  isLast: boolean,
  work: (attempt: Attempt) => Promise<void>,
): Promise<void> {
  const began = performance.now();
  const seconds = (): number => (performance.now() - began) / 1000;
  try {
    await work({ isLast });
  } catch (error) {
    emit('job_done', { queue, result: isLast ? 'given_up' : 'failed', seconds: seconds() });
    throw error;
  }
  emit('job_done', { queue, result: 'completed', seconds: seconds() });
}
