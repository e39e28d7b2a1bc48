import { Injectable } from '@nestjs/common';
import { Problem } from '../../core/problems/problem.js';
import type { ProblemCode } from '../../core/problems/problem-catalogue.js';
import { Config } from '../../core/config/config.js';
import { clientAddress } from '../../core/http/client-address.js';
import { keyOf, type Limit, requireNoWait } from './limit.js';
import { LimitStoreService } from './limit-store.service.js';

const MINUTE = 60;
const unknownSecretCodes: readonly ProblemCode[] = ['invalid_invitation', 'invalid_password_reset'];

/** Limits for secrets that cannot be guessed (refresh tokens, link secrets) but that any client can send. */
@Injectable()
export class TokenLimitsService {
  private readonly sessions: Limit;
  private readonly refreshes?: Limit;
  private readonly wrongSecrets?: Limit;
  private readonly resetRequests?: Limit;
  private readonly wrongClients?: Limit;

  constructor(store: LimitStoreService, { limits }: Config) {
    this.sessions = store.shared({ name: 'refresh-session', points: 30, seconds: 5 * MINUTE });
    if (limits.signInPerAddress === 0) return;
    this.refreshes = store.shared({ name: 'refresh-address', points: 150, seconds: 5 * MINUTE });
    this.wrongSecrets = store.shared({ name: 'wrong-secret', points: 10, seconds: 15 * MINUTE });
    this.wrongClients = store.shared({ name: 'wrong-client', points: 10, seconds: 15 * MINUTE });
    this.resetRequests = store.shared({ name: 'reset-request', points: 30, seconds: 5 * MINUTE });
  }

  /** Throws TooManyAttempts when this session refreshes too often, or this address sends too many invalid tokens. */
  async requireMayRefresh(sessionId: string | undefined): Promise<void> {
    requireNoWait([
      sessionId === undefined ? 0 : await this.sessions.wait(sessionId),
      (await this.refreshes?.wait(clientAddress())) ?? 0,
    ]);
  }

  /**
   * Counts a consumed token on its session, an invalid one (without a session) on the address: an office with one address
   * has many sessions. Repeats within the grace period are not counted.
   */
  async recordRefresh(sessionId?: string): Promise<void> {
    if (sessionId !== undefined) await this.sessions.record(sessionId);
    else await this.refreshes?.record(clientAddress());
  }

  /** Calls `look` and counts each secret that it rejects as invalid. Throws TooManyAttempts and the errors of `look`. */
  async lookUp<T>(look: () => Promise<T>): Promise<T> {
    const address = clientAddress();
    requireNoWait([(await this.wrongSecrets?.wait(address)) ?? 0]);
    try {
      return await look();
    } catch (error) {
      if (error instanceof Problem && unknownSecretCodes.includes(error.code))
        await this.wrongSecrets?.consume(address);
      throw error;
    }
  }

  /** Keyed by client id as well: a misconfigured service account does not lock out others behind the same address. */
  async lookUpClient<T>(clientId: string, look: () => Promise<T | null>): Promise<T | null> {
    const key = `${clientAddress()} ${keyOf(clientId)}`;
    requireNoWait([(await this.wrongClients?.wait(key)) ?? 0]);
    const found = await look();
    if (found === null) await this.wrongClients?.consume(key);
    return found;
  }

  /** For secrets without a client id. A valid one works whatever the address sent before; only wrong ones are limited. */
  async lookUpBearer<T>(look: () => Promise<T | null>): Promise<T | null> {
    const found = await look();
    if (found !== null) return found;
    const key = `${clientAddress()} bearer`;
    requireNoWait([(await this.wrongClients?.wait(key)) ?? 0]);
    await this.wrongClients?.consume(key);
    return null;
  }

  /** Throws TooManyAttempts when this address requests password resets too often. */
  async countResetRequest(): Promise<void> {
    await this.resetRequests?.consume(clientAddress());
  }
}
