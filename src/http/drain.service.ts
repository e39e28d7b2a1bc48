import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Config } from '../config/config.js';
import { Load } from './load.service.js';

const LOOK_MS = 50;

/** How a replica takes leave of its callers. */
@Injectable()
export class Drain {
  private readonly logger = new Logger('Drain');

  constructor(
    private readonly config: Config,
    private readonly load: Load,
    private readonly adapter: HttpAdapterHost,
  ) {}

  /** Goes on serving while balancers look away, takes no more connections, and lets what is at work end. */
  async run(): Promise<void> {
    const { delaySeconds, drainSeconds } = this.config.bounds.shutdown;
    this.load.leave();
    await sleep(delaySeconds * 1000);
    this.logger.log({ msg: 'draining', in_flight: this.load.unanswered });
    const server = this.adapter.httpAdapter.getHttpServer() as Server;
    server.close();
    const end = performance.now() + drainSeconds * 1000;
    while (this.load.unanswered > 0 && performance.now() < end) await sleep(LOOK_MS);
    if (this.load.unanswered > 0)
      this.logger.warn(`${this.load.unanswered} requests did not end and are cut off`);
    server.closeAllConnections();
  }
}
