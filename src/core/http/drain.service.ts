import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Config } from '../config/config.js';
import { Load } from './load-shedder.service.js';

const LOOK_MS = 50;

/** How a replica takes leave of its callers. */
@Injectable()
export class Drain implements OnModuleDestroy {
  private readonly logger = new Logger('Drain');

  constructor(
    private readonly config: Config,
    private readonly load: Load,
    private readonly adapter: HttpAdapterHost,
    private readonly startup: StartupTasks,
  ) {}

  /**
   * In the first of Nest's shutdown hooks, while everything still works: not ready, serve until balancers have noticed, accept
   * no more connections, and wait for the running requests.
   */
  async onModuleDestroy(): Promise<void> {
    this.startup.stop();
    const server = this.adapter.httpAdapter?.getHttpServer() as Server | undefined;
    // Without HTTP (the command line), or where the port could not be had.
    if (server?.listening !== true) return;
    const { delaySeconds, drainSeconds } = this.config.bounds.shutdown;
    this.load.leave();
    await sleep(delaySeconds * 1000);
    this.logger.log({ msg: 'draining', in_flight: this.load.unanswered });
    server.close();
    const end = performance.now() + drainSeconds * 1000;
    while (this.load.unanswered > 0 && performance.now() < end) await sleep(LOOK_MS);
    if (this.load.unanswered > 0)
      this.logger.warn(`${this.load.unanswered} requests did not end and are cut off`);
    server.closeAllConnections();
  }
}
