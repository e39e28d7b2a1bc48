import { Injectable } from '@nestjs/common';
import { StartupTasks } from '../core/lifecycle/startup-tasks.service.js';
import { DatabaseService } from '../core/database/database.service.js';

/** Probes of many balancers make one question a second. */
const FRESH_MS = 1000;

/** Whether this replica wants requests: from the end of its start to the beginning of its stop, with its database. */
@Injectable()
export class ReadinessService {
  private last?: { at: number; healthy: Promise<boolean> };

  constructor(
    private readonly database: DatabaseService,
    private readonly startup: StartupTasks,
  ) {}

  /** Whether the start is complete and the shutdown has not begun, whatever the database does. */
  get isStarted(): boolean {
    return this.startup.isComplete;
  }

  async isReady(): Promise<boolean> {
    // Checked after the query too: the shutdown may have begun meanwhile.
    return this.isStarted && (await this.isHealthy()) && this.isStarted;
  }

  private isHealthy(): Promise<boolean> {
    const now = performance.now();
    if (this.last === undefined || now - this.last.at >= FRESH_MS) {
      this.last = { at: now, healthy: this.database.isHealthy() };
    }
    return this.last.healthy;
  }
}
