import { Injectable } from '@nestjs/common';
import { emit } from '../../core/telemetry/telemetry-events.js';
import { Config } from '../../core/config/config.js';
import { canonicalEmail } from '../../core/validation/email-address.js';
import { clientAddress } from '../../core/http/client-address.js';
import { keyOf, type Limit, requireNoWait } from './limit.js';
import { LimitStoreService } from './limit-store.service.js';

const MINUTE = 60;
const DAY = 86_400;
const PAIR = { points: 5, seconds: 15 * MINUTE };
/** From failure number `free` on, the account is locked: for 1 minute first, then 2, up to `maxMinutes`. */
const ACCOUNT = { free: 20, seconds: DAY / 2, maxMinutes: 15 };
/** The limit of 5 minutes, if it is higher. */
const FAILURES_PER_ADDRESS_A_DAY = 100;
const UNLIMITED = 1_000_000;

/** Keys and counts of one attempt. */
interface Attempt {
  address: string;
  account: string;
  pair: string;
  pairCount: number;
  /** Seconds for which this attempt locked the account; 0 when it did not. */
  accountWait: number;
}

interface Evaluated<T> {
  /** Null: the password was wrong. */
  result: T | null;
  /** Seconds for which this wrong password locked further attempts. */
  lockedSeconds: number;
}

/**
 * Limits password guessing: count, then verify, then clear. A rejected attempt is not verified, not counted and extends
 * no lock. Existing sessions and password resets are not limited here.
 */
@Injectable()
export class SignInLimitsService {
  private readonly pairs: Limit;
  private readonly accounts: Limit;
  /** Locked accounts. The first attempt after a wait locks the account again, so that one guess per wait passes. */
  private readonly closed: Limit;
  private readonly successes?: Limit;
  /** By address, in 5 minutes and in a day. Attempts in progress count; a successful one is returned. */
  private readonly failures: Limit[] = [];

  constructor(store: LimitStoreService, { limits }: Config) {
    this.pairs = store.shared({ name: 'sign-in-pair', ...PAIR });
    this.accounts = store.durable({
      name: 'sign-in-account',
      points: UNLIMITED,
      seconds: ACCOUNT.seconds,
    });
    this.closed = store.durable({ name: 'sign-in-closed', points: 1, seconds: MINUTE });
    const { signInPerAddress: points, signInSuccessesPerAddress: successes } = limits;
    if (points === 0) return;
    const perDay = { points: Math.max(FAILURES_PER_ADDRESS_A_DAY, points), seconds: DAY };
    this.failures.push(
      store.shared({ name: 'sign-in-address', points, seconds: 5 * MINUTE }),
      store.shared({ name: 'sign-in-failures', ...perDay }),
    );
    if (successes === 0) return;
    this.successes = store.shared({ name: 'sign-in-successes', points: successes, seconds: 5 * MINUTE });
  }

  /**
   * Calls `verify` if this address may try this account now, else throws TooManyAttempts. Counters are keyed by the
   * password hash, so a new password starts with fresh counters: a password reset unlocks the account.
   */
  async evaluate<T>(
    email: string,
    passwordHash: string | null | undefined,
    verify: () => Promise<T | null>,
  ): Promise<Evaluated<T>> {
    const attempt = await this.count(canonicalEmail(email), passwordHash ?? '');
    const result = await verify().catch(async (error: unknown) => {
      await this.refund(attempt);
      throw error;
    });
    if (result !== null) {
      await this.clear(attempt);
      return { result, lockedSeconds: 0 };
    }
    const lockedSeconds = await this.blockAfter(attempt);
    if (lockedSeconds > 0) emit('account_locked', {});
    return { result, lockedSeconds };
  }

  private async count(email: string, passwordHash: string): Promise<Attempt> {
    const address = clientAddress();
    const account = keyOf(email, passwordHash);
    const pair = keyOf(email, passwordHash, address);
    // One after another, because a request uses one connection at a time; the same below.
    const waits = [await this.closed.wait(account), (await this.successes?.wait(address)) ?? 0];
    for (const limit of this.failures) waits.push(await limit.wait(address));
    requireNoWait(waits);
    // Narrowest limit first: attempts that it rejects do not count against the wider ones.
    const pairCount = await this.pairs.consume(pair);
    for (const limit of this.failures) await limit.consume(address);
    return { address, account, pair, pairCount, accountWait: await this.countOnAccount(account) };
  }

  private async countOnAccount(account: string): Promise<number> {
    const count = await this.accounts.consume(account);
    if (count < ACCOUNT.free) return 0;
    const seconds = Math.min(count - ACCOUNT.free + 1, ACCOUNT.maxMinutes) * MINUTE;
    await this.closed.consume(account, seconds);
    return seconds;
  }

  private async blockAfter({ pair, pairCount, accountWait }: Attempt): Promise<number> {
    if (pairCount < PAIR.points) return accountWait;
    await this.pairs.block(pair, PAIR.seconds);
    return Math.max(PAIR.seconds, accountWait);
  }

  private async clear({ address, account, pair, accountWait }: Attempt): Promise<void> {
    await this.pairs.clear(pair);
    await this.accounts.clear(account);
    if (accountWait > 0) await this.closed.clear(account);
    for (const limit of this.failures) await limit.refund(address);
    await this.successes?.record(address);
  }

  /** `verify` failed (overload, no database), so no password was checked. */
  private async refund({ address, account, pair, accountWait }: Attempt): Promise<void> {
    const refunds = [
      () => this.pairs.refund(pair),
      () => this.accounts.refund(account),
      () => (accountWait > 0 ? this.closed.clear(account) : undefined),
      ...this.failures.map((limit) => () => limit.refund(address)),
    ];
    for (const each of refunds) await Promise.resolve(each()).catch(() => undefined);
  }
}
