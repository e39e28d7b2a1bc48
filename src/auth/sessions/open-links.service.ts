import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { voidLinksTo } from '../../invitations/invitations.queries.js';
import { ResetLinksService } from '../../users/reset-links.service.js';
import { voidLoginCodes } from './sessions.queries.js';

/** Voids pending ways into an account: links in emails and one-time codes. */
@Injectable()
export class OpenLinksService {
  constructor(private readonly resetLinks: ResetLinksService) {}

  /**
   * Part of every password change, disabling, erasure and change of the address, then with the former address. The caller
   * holds the lock on the user's row.
   */
  async voidAll(tx: EntityManager, userId: string, formerEmail?: string): Promise<void> {
    const email = await this.resetLinks.voidAll(tx, userId);
    await voidLoginCodes(tx, userId);
    await voidLinksTo(tx, formerEmail ?? email);
  }
}
