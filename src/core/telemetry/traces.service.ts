import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, type AfterQueryEvent, type EntitySubscriberInterface } from 'typeorm';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { useTracing } from './tracing.js';
import { Config } from '../config/config.js';
import type { OtelTracing } from './otel-tracing.js';

/** Traces each statement of TypeORM with `$1` in place of values, which must not appear in traces. */
class SqlSpans implements EntitySubscriberInterface {
  constructor(private readonly tracing: Pick<OtelTracing, 'statement'>) {}

  afterQuery({ query, executionTime = 0, error }: AfterQueryEvent): void {
    this.tracing.statement(query, executionTime, error);
  }
}

/** Loads OpenTelemetry only if an endpoint is configured. */
@Injectable()
export class TracesService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(TracesService.name);
  private tracing?: OtelTracing;

  constructor(
    private readonly config: Config,
    @InjectDataSource() private readonly source: DataSource,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({ after: 'database' }, () => this.start());
  }

  /** Runs after the database connects, because connecting creates the list of subscribers. */
  private async start(): Promise<void> {
    const { endpoint, ...settings } = this.config.traces;
    if (endpoint === undefined) return;
    const { OtelTracing } = await import('./otel-tracing.js');
    this.tracing = new OtelTracing({ endpoint, ...settings });
    this.source.subscribers.push(new SqlSpans(this.tracing));
    useTracing(this.tracing);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.tracing === undefined) return;
    useTracing(undefined);
    await this.tracing.stop().catch((error: unknown) => {
      this.logger.warn({ msg: 'failed to export the last traces', err: error });
    });
  }
}
