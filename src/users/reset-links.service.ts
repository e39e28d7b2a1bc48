import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, MoreThanOrEqual, Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import { hashOfSecret, LinkSecrets } from '../core/crypto/link-secrets.js';
import { DatabaseService } from '../core/database/database.service.js';
import { PasswordReset, User } from './user.entity.js';
import { UsersService } from './users.service.js';
import { InvalidPasswordReset } from './users.errors.js';
import { lockActiveUser } from './users.queries.js';

const EXPIRES_SECONDS = 30 * 60;
/** Minimum time between two emails to the same address. */
const MAIL_INTERVAL_SECONDS = 60;

interface ResetRequest {
  id: string;
  at: Date;
}

const plus = (date: Date, seconds: number): Date => new Date(date.getTime() + seconds * 1000);

/** Secret links for resetting a password. */
@Injectable()
export class ResetLinksService {
  constructor(
    @InjectRepository(PasswordReset) private readonly resets: Repository<PasswordReset>,
    private readonly database: DatabaseService,
    private readonly users: UsersService,
    private readonly secrets: LinkSecrets,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the secret for this request; repeated calls return the same one. Null when no email is due: the user is
   * unknown, disabled or has no password, an email was sent recently, the request has expired, or links were voided
   * since (such as by a password change).
   */
  async secretFor(email: string, request: ResetRequest): Promise<string | null> {
    const user = await this.users.findForSignIn(email);
    if (user === null || user.passwordHash === null) return null;
    if (plus(request.at, EXPIRES_SECONDS) <= this.clock.now()) return null;
    return this.database.transaction(async (tx) => {
      if (!(await lockActiveUser(tx, user.id))) return null;
      if (await this.isVoid(tx, user.id, request)) return null;
      const last = await this.lastOf(tx, user.id);
      if (last?.requestId === request.id) {
        return this.secrets.restore({ salt: last.secretSalt, hash: last.secretHash }) ?? null;
      }
      if (last !== null && request.at < plus(last.requestedAt, MAIL_INTERVAL_SECONDS)) return null;
      return this.create(tx, user.id, request);
    });
  }

  /** Returns the id of the link's user. Throws InvalidPasswordReset for an unknown, replaced, used or expired link. */
  async find(secret: string): Promise<string> {
    const reset = await this.resets.findOneBy({ secretHash: hashOfSecret(secret) });
    return this.requireUsable(reset).userId;
  }

  /** Returns the active user of the link. Throws InvalidPasswordReset as `find` does, and for a disabled account. */
  async findUser(secret: string): Promise<User> {
    const user = await this.users.find(await this.find(secret));
    if (user?.status !== 'active') throw new InvalidPasswordReset();
    return user;
  }

  /** Marks the link as used. Of concurrent calls one succeeds; the others throw InvalidPasswordReset. */
  async redeem(tx: EntityManager, secret: string): Promise<void> {
    const reset = await tx.findOne(PasswordReset, {
      where: { secretHash: hashOfSecret(secret) },
      lock: { mode: 'pessimistic_write' },
    });
    const { userId } = this.requireUsable(reset);
    await tx.update(PasswordReset, { userId }, { usedAt: this.clock.now() });
  }

  /** Invalidates the user's open link, and the requests for which no link exists yet. Returns the user's email address. */
  async voidAll(tx: EntityManager, userId: string): Promise<string> {
    const now = this.clock.now();
    const { email } = await tx.findOneByOrFail(User, { id: userId });
    await tx.update(User, { id: userId }, { linksVoidBefore: now });
    await tx.update(PasswordReset, { userId, usedAt: IsNull() }, { usedAt: now });
    return email;
  }

  private requireUsable(reset: PasswordReset | null): PasswordReset {
    if (reset === null || reset.usedAt !== null || reset.expiresAt <= this.clock.now()) {
      throw new InvalidPasswordReset();
    }
    return reset;
  }

  private isVoid(tx: EntityManager, userId: string, { at }: ResetRequest): Promise<boolean> {
    return tx.existsBy(User, { id: userId, linksVoidBefore: MoreThanOrEqual(at) });
  }

  private lastOf(tx: EntityManager, userId: string): Promise<PasswordReset | null> {
    return tx
      .createQueryBuilder(PasswordReset, 'reset')
      .addSelect(['reset.secretSalt', 'reset.secretHash'])
      .where('reset.userId = :userId', { userId })
      .getOne();
  }

  private async create(tx: EntityManager, userId: string, request: ResetRequest): Promise<string> {
    const { secret, salt, hash } = this.secrets.create();
    const reset: PasswordReset = {
      userId,
      requestId: request.id,
      secretSalt: salt,
      secretHash: hash,
      requestedAt: request.at,
      expiresAt: plus(request.at, EXPIRES_SECONDS),
      usedAt: null,
    };
    await tx.upsert(PasswordReset, reset, ['userId']);
    return secret;
  }
}
