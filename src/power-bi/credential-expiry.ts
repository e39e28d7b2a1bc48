import { Logger } from '@nestjs/common';
import { X509Certificate } from 'node:crypto';
import type { Clock } from '../core/clock.js';
import type { PowerBiCredential } from '../core/config/power-bi.config.js';

const DAY_MS = 86_400_000;
const WARN_DAYS = 30;

function inDays(days: number): string {
  if (days === 0) return 'in less than a day';
  return days === 1 ? 'in 1 day' : `in ${days} days`;
}

function expiryOf(credential: PowerBiCredential): Date | undefined {
  if (credential.kind === 'certificate') return new Date(new X509Certificate(credential.pem).validTo);
  return credential.kind === 'secret' ? credential.expiresAt : undefined;
}

/** Warns 30 days before the client secret or certificate expires; after that, no report can be embedded. */
export class CredentialExpiry {
  private readonly logger = new Logger(CredentialExpiry.name);
  private readonly expiresAt?: Date;

  constructor(
    private readonly credential: PowerBiCredential,
    private readonly clock: Clock,
  ) {
    this.expiresAt = expiryOf(credential);
  }

  /** Warning for administrators; undefined while more than 30 days are left or no expiry is known. */
  warning(): string | undefined {
    if (this.expiresAt === undefined) return undefined;
    const days = Math.floor((this.expiresAt.getTime() - this.clock.now().getTime()) / DAY_MS);
    if (days > WARN_DAYS) return undefined;
    const name = this.credential.kind === 'certificate' ? 'certificate' : 'client secret';
    return days < 0 ? `The ${name} has expired` : `The ${name} expires ${inDays(days)}`;
  }

  log(): void {
    const warning = this.warning();
    if (warning !== undefined) this.logger.warn(`${warning}: renew it in the app registration`);
  }
}
