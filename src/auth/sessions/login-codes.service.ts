import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { sameBytes } from '../../core/crypto/keys.js';
import { hashOfSecret } from '../../core/crypto/link-secrets.js';
import { DatabaseService } from '../../core/database/database.service.js';
import { deleteExpired } from '../../core/database/delete-batch.js';
import { UsersService } from '../../users/users.service.js';
import { InvalidLoginCode, SessionNotFound } from './sessions.errors.js';
import type { IssuedSession } from './issued-session.js';
import { lockActiveUser } from '../../users/users.queries.js';
import { SessionsService } from './sessions.service.js';
import { LoginCode } from './session.entity.js';

const GOOD_FOR_SECONDS = 60;
const KEPT_SECONDS = 3600;

/** One-time codes of 256 bits, valid for a minute and bound to the portal's PKCE challenge. Only their SHA-256 is stored. */
@Injectable()
export class LoginCodesService {
  constructor(
    private readonly database: DatabaseService,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  async create(tx: EntityManager, userId: string, codeChallenge: string): Promise<string> {
    const code = randomBytes(32).toString('base64url');
    await deleteExpired(tx, LoginCode, this.clock.in(-KEPT_SECONDS));
    await tx.insert(LoginCode, {
      hash: hashOfSecret(code),
      userId,
      codeChallenge,
      expiresAt: this.clock.in(GOOD_FOR_SECONDS),
      usedAt: null,
      sessionId: null,
    });
    return code;
  }

  /** Throws InvalidLoginCode. A failed attempt also consumes the code: this is committed although the request fails. */
  async exchange(code: string, verifier: string): Promise<IssuedSession> {
    const session = await this.database.transaction(async (tx) => {
      const found = await this.lock(tx, hashOfSecret(code));
      if (found === null) return null;
      if (found.usedAt !== null) return this.revokeReplayed(tx, found);
      await tx.update(LoginCode, { hash: found.hash }, { usedAt: this.clock.now() });
      const isGood = found.expiresAt > this.clock.now() && matchesChallenge(verifier, found.codeChallenge);
      return isGood ? this.open(tx, found) : null;
    });
    if (session === null) throw new InvalidLoginCode();
    return session;
  }

  /** Locks the user's row first, in the same order as the code that voids login codes, to prevent deadlocks. */
  private async lock(tx: EntityManager, hash: Buffer): Promise<LoginCode | null> {
    const known = await tx.findOneBy(LoginCode, { hash });
    if (known === null) return null;
    await lockActiveUser(tx, known.userId);
    return tx.findOne(LoginCode, { where: { hash }, lock: { mode: 'pessimistic_write' } });
  }

  private async open(tx: EntityManager, { hash, userId }: LoginCode): Promise<IssuedSession | null> {
    const user = await this.users.get(userId, tx);
    if (user.status !== 'active') return null;
    const session = await this.sessions.open(tx, user.id, 'oidc');
    await tx.update(LoginCode, { hash }, { sessionId: session.id });
    return session;
  }

  /** A reused code may have been intercepted (RFC 6749, 4.1.2), so the session it opened is ended. */
  private async revokeReplayed(tx: EntityManager, { userId, sessionId }: LoginCode): Promise<null> {
    if (sessionId === null) return null;
    const ending = { userId, id: sessionId, reason: 'login_code_reused', by: userId } as const;
    await this.sessions.end(tx, ending).catch((error: unknown) => {
      if (!(error instanceof SessionNotFound)) throw error;
    });
    return null;
  }
}

const matchesChallenge = (verifier: string, challenge: string): boolean =>
  sameBytes(Buffer.from(hashOfSecret(verifier).toString('base64url')), Buffer.from(challenge));
