import { Injectable } from '@nestjs/common';
import { StartupTasks } from '../core/lifecycle/startup-tasks.service.js';
import { DatabaseService } from '../core/database/database.service.js';

/** However many load balancers probe, the database is queried at most once a second. */
const FRESH_MS = 1000;

/** Whether this replica accepts requests: startup is complete, shutdown has not begun, and the database is healthy. */
@Injectable()
export class ReadinessService {
  private last?: { at: number; healthy: Promise<boolean> };

  constructor(
    private readonly database: DatabaseService,
    private readonly startup: StartupTasks,
  ) {}

  /** Takes at most a second. */
  async isReady(): Promise<boolean> {
    // Checked again after the query: shutdown may have begun meanwhile.
    return this.startup.isComplete && (await this.isHealthy()) && this.startup.isComplete;
  }

  private isHealthy(): Promise<boolean> {
    const now = performance.now();
    if (this.last === undefined || now - this.last.at >= FRESH_MS) {
      this.last = { at: now, healthy: this.database.isHealthy() };
    }
    return this.last.healthy;
  }
}
