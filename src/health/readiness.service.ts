import { Injectable } from '@nestjs/common';
import { Database } from '../database/database.service.js';

/** Probes of many balancers make one question a second. */
const FRESH_MS = 1000;

/** Whether this replica wants requests: from the end of its start to the beginning of its stop, with its database. */
@Injectable()
export class Readiness {
  ready = false;
  private last?: { at: number; healthy: Promise<boolean> };

  constructor(private readonly database: Database) {}

  async isReady(): Promise<boolean> {
    // After the look at the database too: the stop may have begun meanwhile.
    return this.ready && (await this.isHealthy()) && this.ready;
  }

  private isHealthy(): Promise<boolean> {
    const now = performance.now();
    if (this.last === undefined || now - this.last.at >= FRESH_MS) {
      this.last = { at: now, healthy: this.database.isHealthy() };
    }
    return this.last.healthy;
  }
}
