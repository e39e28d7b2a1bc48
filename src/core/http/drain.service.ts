import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Config } from '../config/config.js';
import { LoadShedderService } from './load-shedder.service.js';

const POLL_INTERVAL_MS = 50;
/** By then PostgreSQL has ended the queries of terminated requests: see docs/decisions/query-cancellation.md. */
const TERMINATED_QUERIES_MS = 2000;

/** Drains open requests when the replica shuts down. */
@Injectable()
export class DrainService implements OnModuleDestroy {
  private readonly logger = new Logger('Drain');

  constructor(
    private readonly config: Config,
    private readonly load: LoadShedderService,
    private readonly adapter: HttpAdapterHost,
    private readonly startup: StartupTasks,
  ) {}

  /**
   * Runs in the first of Nest's shutdown hooks, while all dependencies still work: reports not ready, serves until
   * load balancers have noticed, accepts no more connections, and waits for open requests.
   */
  async onModuleDestroy(): Promise<void> {
    this.startup.stop();
    const server = this.adapter.httpAdapter?.getHttpServer() as Server | undefined;
    // No HTTP server: a CLI command, or the port was not available.
    if (server?.listening !== true) return;
    const { delaySeconds, drainSeconds } = this.config.serverLimits.shutdown;
    this.load.drain();
    await sleep(delaySeconds * 1000);
    this.logger.log({ msg: 'draining', in_flight: this.load.openRequests });
    server.close();
    const end = performance.now() + drainSeconds * 1000;
    while (this.load.openRequests > 0 && performance.now() < end) {
      this.load.endStreams();
      await sleep(POLL_INTERVAL_MS);
    }
    const { openRequests } = this.load;
    server.closeAllConnections();
    if (openRequests === 0) return;
    this.logger.warn(`${openRequests} requests did not finish and are terminated`);
    await sleep(TERMINATED_QUERIES_MS);
  }
}
