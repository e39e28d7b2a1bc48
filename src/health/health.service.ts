import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { JobsService } from '../platform/jobs/jobs.service.js';
import { MailService } from '../platform/mail/mail.service.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import { CheckDto, HealthDto } from './dto/health.dto.js';

/** Seconds for which a dependency's check is cached, so that health requests put no load on it. */
const FRESH_SECONDS = 15;
/** Shorter than the limits of the connection, which may last longer than the request. */
const MAIL_MS = 3000;

interface CachedCheck {
  at: Date;
  check: Promise<CheckDto>;
}

@Injectable()
export class HealthService {
  private readonly cached = new Map<string, CachedCheck>();

  constructor(
    private readonly database: DatabaseService,
    private readonly jobs: JobsService,
    private readonly mails: MailService,
    private readonly powerBi: PowerBiService,
    private readonly clock: Clock,
  ) {}

  async get(caller: Principal): Promise<HealthDto> {
    const database = await this.checkDatabase();
    const jobs = this.checkJobs();
    const [mail, powerBi] = await Promise.all([
      this.recent('mail', () => this.checkMail()),
      this.recent('power_bi', () => this.powerBi.status()),
    ]);
    const checks = { database, jobs, mail, power_bi: powerBi };
    const all = Object.values(checks).map(({ status }) => status);
    const isFine = all.every((status) => status === 'ok');
    const status = database.status === 'down' ? 'down' : isFine ? 'ok' : 'degraded';
    return { status, checks: caller.role === 'admin' ? checks : withoutDetail(checks) };
  }

  private async checkDatabase(): Promise<CheckDto> {
    const state = await this.database.state();
    if (state === 'down') return { status: 'down', detail: 'PostgreSQL does not respond.' };
    if (state === 'ok') return { status: 'ok' };
    return { status: 'degraded', detail: 'PostgreSQL is read-only: changes and sign-ins fail.' };
  }

  private checkJobs(): CheckDto {
    const { running, failingSeconds } = this.jobs;
    if (!running) return { status: 'down', detail: 'The job queue is not running.' };
    if (failingSeconds === undefined) return { status: 'ok' };
    const detail = `No background job was fetched for ${failingSeconds} s: the log names the cause.`;
    return { status: 'down', detail };
  }

  private async checkMail(): Promise<CheckDto> {
    if (!this.mails.configured)
      return { status: 'ok', detail: 'SMTP_URL is not set: administrators share links themselves.' };
    try {
      const verified = this.mails.verify().then(() => true);
      const isVerified = await Promise.race([verified, sleep(MAIL_MS, false, { ref: false })]);
      return isVerified
        ? { status: 'ok' }
        : { status: 'degraded', detail: 'The SMTP server does not respond.' };
    } catch (error) {
      return {
        status: 'degraded',
        detail: `The SMTP server does not accept mail: ${(error as Error).message}`,
      };
    }
  }

  private recent(name: string, look: () => Promise<CheckDto>): Promise<CheckDto> {
    const known = this.cached.get(name);
    if (known !== undefined && this.clock.isWithin(known.at, FRESH_SECONDS)) return known.check;
    const check = look();
    this.cached.set(name, { at: this.clock.now(), check });
    return check;
  }
}

const withoutDetail = (checks: HealthDto['checks']): HealthDto['checks'] => ({
  database: { status: checks.database.status },
  jobs: { status: checks.jobs.status },
  mail: { status: checks.mail.status },
  power_bi: { status: checks.power_bi.status },
});
