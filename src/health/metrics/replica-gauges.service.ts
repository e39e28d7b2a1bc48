import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../core/config/config.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { ReadinessService } from '../readiness.service.js';
import { PowerBiService } from '../../power-bi/power-bi.service.js';
import { PasswordsService } from '../../users/passwords.service.js';
import type { GaugeDefinition } from './gauges.js';

/** A window that the database does not tell in time is unknown. */
const WAIT_MS = 1000;

/** Gauges of this replica's own state. */
@Injectable()
export class ReplicaGaugesService {
  constructor(
    private readonly config: Config,
    private readonly readiness: ReadinessService,
    private readonly database: DatabaseService,
    private readonly passwords: PasswordsService,
    private readonly powerBi: PowerBiService,
  ) {}

  get all(): GaugeDefinition[] {
    return [...this.own, ...this.upstream];
  }

  private get own(): GaugeDefinition[] {
    return [
      {
        name: 'ready',
        help: 'Whether this replica is ready for requests',
        samples: async () => [[Number(await this.readiness.isReady())]],
      },
      {
        name: 'database_pool_connections',
        help: 'Database connections',
        labels: ['state'],
        samples: () => {
          const { total, idle } = this.database.pool;
          return [
            [total - idle, { state: 'busy' }],
            [idle, { state: 'idle' }],
          ];
        },
      },
      {
        name: 'database_pool_size',
        help: 'Maximum number of database connections',
        samples: () => [[this.config.database.poolSize]],
      },
      {
        name: 'database_pool_waiting',
        help: 'Requests waiting for a database connection',
        samples: () => [[this.database.pool.waiting]],
      },
      {
        name: 'password_hashes_running',
        help: 'Password hash computations in progress',
        samples: () => [[this.passwords.load.running]],
      },
      {
        name: 'password_hashes_queued',
        help: 'Password hash computations waiting',
        samples: () => [[this.passwords.load.queued]],
      },
    ];
  }

  private get upstream(): GaugeDefinition[] {
    return [
      {
        name: 'upstream_breaker_open',
        help: 'Whether the circuit breaker is open and rejects calls',
        labels: ['upstream'],
        samples: () =>
          this.powerBi.upstreams.map(({ upstream, breakerOpen }) => [Number(breakerOpen), { upstream }]),
      },
      {
        name: 'upstream_calls_running',
        help: 'Upstream calls in progress',
        labels: ['upstream'],
        samples: () => this.powerBi.upstreams.map(({ upstream, running }) => [running, { upstream }]),
      },
      {
        name: 'upstream_pause_seconds',
        help: 'Seconds until the throttle window that all replicas share ends',
        samples: async () => {
          const wait = sleep(WAIT_MS, undefined, { ref: false });
          const seconds = await Promise.race([this.powerBi.pauseSeconds(), wait]);
          return seconds === undefined ? [] : [[seconds]];
        },
      },
    ];
  }
}
