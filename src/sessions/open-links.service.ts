import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { voidLinksTo } from '../invitations/invitations.queries.js';
import { User } from '../users/user.entity.js';
import { voidLoginCodes } from './sessions.queries.js';

/** Voids pending ways into an account: links in emails and one-time codes. */
@Injectable()
export class OpenLinksService {
  constructor(private readonly clock: Clock) {}

  /** Part of every password change, disabling and erasure. The caller holds the lock on the user's row. */
  async voidAll(tx: EntityManager, userId: string): Promise<void> {
    const now = this.clock.now();
    const { email } = await tx.findOneByOrFail(User, { id: userId });
    await tx.update(User, { id: userId }, { linksVoidBefore: now });
    await tx.query('UPDATE password_resets SET used_at = $2 WHERE user_id = $1 AND used_at IS NULL', [
      userId,
      now,
    ]);
    await voidLoginCodes(tx, userId);
    await voidLinksTo(tx, email);
  }
}
