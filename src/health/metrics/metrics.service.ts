import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { listenFailure } from '../../core/http/listen-failure.js';
import { StartupTasks } from '../../core/lifecycle/startup-tasks.service.js';
import { Config } from '../../core/config/config.js';
import { countEvents } from './counters.js';
import { gaugeOf } from './gauges.js';
import { ReplicaGaugesService } from './replica-gauges.service.js';
import { storedGauges } from './stored-gauges.js';
import { StoredStateService } from './stored-state.service.js';

/** Serves `GET /metrics` on a separate port, outside the API's guards and limits. */
@Injectable()
export class MetricsService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsService.name);
  private readonly registry = new Registry();
  private server?: Server;
  private stopCounting?: () => void;

  constructor(
    private readonly config: Config,
    private readonly replica: ReplicaGaugesService,
    private readonly stored: StoredStateService,
    private readonly startup: StartupTasks,
  ) {}

  onApplicationBootstrap(): void {
    this.startup.begin({}, () => this.start());
  }

  /** Does nothing without METRICS_PORT. Rejects when the port is not available. */
  private async start(): Promise<void> {
    const { port, host } = this.config.metrics;
    if (port === 0) return;
    collectDefaultMetrics({ register: this.registry });
    this.stopCounting = countEvents(this.registry);
    const definitions = [...this.replica.all, ...storedGauges(() => this.stored.find())];
    for (const definition of definitions) gaugeOf(this.registry, definition);
    this.server = createServer((request, response) => void this.respond(request, response)).listen(
      port,
      host,
    );
    await once(this.server, 'listening').catch((error: unknown) => {
      throw listenFailure(error, { port, host, portVariable: 'METRICS_PORT', hostVariable: 'METRICS_HOST' });
    });
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopCounting?.();
    const { server } = this;
    if (server === undefined) return;
    this.server = undefined;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }

  private async respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== 'GET' || url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    try {
      const text = await this.registry.metrics();
      response.writeHead(200, { 'Content-Type': this.registry.contentType }).end(text);
    } catch (error) {
      this.logger.error({ msg: 'metrics could not be collected', err: error });
      response.writeHead(500).end();
    }
  }
}
