import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Client, DatabaseError } from 'pg';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Config } from '../config/config.js';

const RETRY_MS = 500;
/** Longer than a busy event loop delays a response that has arrived. */
const RESPONSE_TIMEOUT_MS = 3000;

interface Subscription {
  channel: string;
  onPayload: (payload: string) => void;
  /** Called on every connection, including the first: notifications sent while disconnected are lost. */
  onConnect: () => void;
}

/**
 * The replica's only connection that bypasses PgBouncer; it receives notifications and reconnects whenever it breaks.
 * A subscriber that must detect a silently dead connection runs `query` periodically.
 */
@Injectable()
export class NotificationConnectionService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(NotificationConnectionService.name);
  private readonly subscriptions = new Set<Subscription>();
  private client?: Client;
  private running?: Promise<void>;
  private readonly stopping = new AbortController();

  constructor(
    private readonly config: Config,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ step: 'notifications', after: 'database' }, () => this.start());
  }

  /** Returns immediately; reconnects until shutdown. */
  private start(): void {
    this.running ??= this.run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.client?.end().catch(() => undefined);
    await this.running;
  }

  /** Delivers nothing where the connection does not support LISTEN (a pooler, some databases): poll as well. */
  async listen(subscription: Subscription): Promise<{ close: () => Promise<void> }> {
    this.subscriptions.add(subscription);
    if (this.client !== undefined) await this.onNotification(this.client, subscription);
    return {
      close: () => {
        this.subscriptions.delete(subscription);
        return Promise.resolve();
      },
    };
  }

  /** Throws when the connection is down. A query that fails or times out closes the connection, which then reconnects. */
  async query<T extends object>(sql: string): Promise<T[]> {
    const { client } = this;
    if (client === undefined) throw new Error('The direct connection to the database is down');
    try {
      return (await client.query<T>(sql)).rows;
    } catch (error) {
      void client.end().catch(() => undefined);
      throw error;
    }
  }

  private async run(): Promise<void> {
    for (let attempt = 0; !this.stopping.signal.aborted; attempt += 1) {
      try {
        await this.connected();
        attempt = 0;
      } catch (error) {
        if (attempt % 60 === 0) this.logger.warn({ msg: 'no direct connection to the database', err: error });
      }
      await sleep(RETRY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  /** Resolves when either side has closed the connection. */
  private async connected(): Promise<void> {
    const client = new Client({
      connectionString: this.config.database.directUrl,
      application_name: 'vitrine direct',
      connectionTimeoutMillis: 2000,
      query_timeout: RESPONSE_TIMEOUT_MS,
      keepAlive: true,
    });
    const ended = new Promise<void>((resolve) => void client.once('end', resolve));
    client.on('error', () => void client.end().catch(() => undefined));
    client.on('notification', ({ channel, payload = '' }) => this.deliver(channel, payload));
    try {
      await client.connect();
      for (const subscription of this.subscriptions) await this.onNotification(client, subscription);
      this.client = client;
      if (this.stopping.signal.aborted) await client.end();
      await ended;
    } finally {
      this.client = undefined;
      void client.end().catch(() => undefined);
    }
  }

  /** Every login of the database can send any payload: one that a subscriber cannot read must not end the process. */
  private deliver(channel: string, payload: string): void {
    for (const one of this.subscriptions) {
      if (one.channel !== channel) continue;
      try {
        one.onPayload(payload);
      } catch (error) {
        this.logger.warn({ msg: 'notification ignored', channel, err: error });
      }
    }
  }

  private async onNotification(client: Client, { channel, onConnect }: Subscription): Promise<void> {
    try {
      await client.query(`LISTEN ${client.escapeIdentifier(channel)}`);
    } catch (error) {
      // PostgreSQL-compatible databases without LISTEN return an error: subscribers poll as well. Any other error is
      // a broken connection.
      if (!(error instanceof DatabaseError)) throw error;
      this.logger.warn({ msg: 'LISTEN is not supported by this database', err: error });
    }
    onConnect();
  }
}
