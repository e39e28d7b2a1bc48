import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { hash, verify } from '@node-rs/argon2';
import { emit } from '../core/telemetry/telemetry-events.js';
import { Problem } from '../core/problems/problem.js';
import { Busy, Bulkhead } from '../core/async/bulkhead.js';
import { Config } from '../core/config/config.js';
import { connectionsFor } from '../core/database/connection-shares.js';
import { argon2Floor, dummyHash, isWithinCostLimit } from './argon2-hash.js';
import { BreachedPasswordsService } from './breached-passwords.service.js';
import { validatePassword } from './password-rules.js';
import { PasswordRejected } from './users.errors.js';

/** libuv has four threads for hashing, and more hashes than cores only compete for CPU. */
const cores = availableParallelism();
const MAX_CONCURRENT = Math.min(cores, 4);
const QUEUE_PER_CORE = 32;
const WAIT_MS = 2000;
const BREACHED = 'This password appears in a known data breach. Choose a different password.';

/** Owner of the password, whose name and address must not be part of it. */
interface PasswordOwner {
  email: string;
  name: string | null;
}

@Injectable()
export class PasswordsService {
  private readonly slots = new Bulkhead(MAX_CONCURRENT, cores * QUEUE_PER_CORE);
  private readonly signIns: Bulkhead;
  private readonly words: readonly string[];

  constructor(
    { http, database }: Config,
    private readonly breached: BreachedPasswordsService,
  ) {
    this.signIns = new Bulkhead(connectionsFor('signIns', database.poolSize), cores * QUEUE_PER_CORE);
    this.words = ['vitrine', new URL(http.publicUrl).hostname];
  }

  /** Number of running and of queued hashes. */
  get load(): { running: number; queued: number } {
    return { running: this.slots.running, queued: this.slots.queued + this.signIns.queued };
  }

  /**
   * Bounds whole sign-ins, not only their hashing, so that database connections stay available to other requests. Throws as `hash` does when overloaded.
   */
  withSignInSlot<T>(signIn: () => Promise<T>): Promise<T> {
    return bounded(this.signIns, signIn);
  }

  /** Throws PasswordRejected with the reason; `pointer` is the JSON pointer of the password in the body. */
  async hash(password: string, { email, name }: PasswordOwner, pointer?: string): Promise<string> {
    const normal = password.normalize('NFKC');
    const objection = validatePassword(normal, [...this.words, email, name ?? '']);
    if (objection !== undefined) throw new PasswordRejected(objection, pointer);
    if (await this.breached.has(normal)) throw new PasswordRejected(BREACHED, pointer);
    return this.hashUnchecked(password);
  }

  /** For an existing password, which stays valid when the rules become stricter. */
  hashUnchecked(password: string): Promise<string> {
    return this.hashing(() => hash(password.normalize('NFKC'), argon2Floor));
  }

  /** Takes the same time when the account does not exist or has no password. */
  async verify(stored: string | null | undefined, password: string): Promise<boolean> {
    const known = typeof stored === 'string' && isWithinCostLimit(stored) ? stored : undefined;
    const matches = await this.hashing(() => verify(known ?? dummyHash, password.normalize('NFKC')));
    return matches && known !== undefined;
  }

  private async hashing<T>(work: () => Promise<T>): Promise<T> {
    const result = await bounded(this.slots, work);
    emit('password_hashed', { outcome: 'done' });
    return result;
  }
}

/** Hashing is the most expensive operation: excess calls wait up to WAIT_MS, then fail with a 503. */
async function bounded<T>(slots: Bulkhead, work: () => Promise<T>): Promise<T> {
  try {
    return await slots.run(work, WAIT_MS);
  } catch (error) {
    if (!(error instanceof Busy)) throw error;
    emit('password_hashed', { outcome: 'refused' });
    const detail = 'Too many sign-ins are in progress. Try again in a few seconds.';
    // No cause: a flood of rejections must not log a flood of stack traces.
    throw new Problem('service_unavailable', detail, { retryAfter: 2 });
  }
}
