import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseService } from '../core/database/database.service.js';
import { RecentReportsService } from '../favourites/recent-reports.service.js';
import type { PbiEmbedToken } from '../power-bi/power-bi.types.js';
import type { Revoked } from './embed-revocation.entity.js';
import { EmbedRightsService, requireRight } from './embed-rights.service.js';
import { IssuedTokensService } from './issued-tokens.service.js';
import { type EmbedRequest, MintedTokensService, scopeKey } from './minted-tokens.service.js';
import { outlives } from './token-life.js';
import { type HeldToken, type MintedToken, TokenReuse } from './token-reuse.js';
import { TokenUsageService } from './token-usage.service.js';

/** Returns embed tokens after authorization: reuses the user's token or issues a new one. */
@Injectable()
export class EmbedTokensService {
  private readonly reuse = new TokenReuse<HeldToken>();

  constructor(
    private readonly minted: MintedTokensService,
    private readonly rights: EmbedRightsService,
    private readonly issued: IssuedTokensService,
    private readonly tokenUsage: TokenUsageService,
    private readonly recents: RecentReportsService,
    private readonly database: DatabaseService,
  ) {}

  async get(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
    const held = await this.find(wanted, signal);
    // A service account opens reports on behalf of others.
    if (wanted.email !== null) this.recents.record(wanted.userId, wanted.report.id);
    return held;
  }

  private async find(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
    const held = this.reuse.find(keyOf(wanted));
    if (held !== undefined && this.minted.canReuse(held, wanted)) {
      this.tokenUsage.recordUse(held.grantId);
      return held;
    }
    let mine = false;
    const token = await this.reuse.share(keyOf(wanted), signal, (shared) => {
      mine = true;
      return this.issue(wanted, shared);
    });
    if (!mine) this.tokenUsage.recordUse(token.grantId);
    return token;
  }

  /** Removes the tokens that the revocation matches from the cache. */
  removeHeld(about: Revoked): void {
    const isAbout = (held: MintedToken): boolean =>
      (about.reportId ?? held.reportId) === held.reportId &&
      (about.workspaceId ?? held.workspaceId) === held.workspaceId;
    this.reuse.forget((held) => (about.userId ?? held.userId) === held.userId && isAbout(held));
    if (about.userId === null) this.minted.forget(isAbout);
  }

  /**
   * Rights are checked again in the transaction that records the token, because they may have been removed during the
   * call. If the right was shortened, a token that would outlive it is replaced.
   */
  private async issue(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
    const { userId, report, access } = wanted;
    const minted = await this.minted.mintOrShare(wanted, signal);
    const { token, at } = minted;
    const { endsAt, grantId } = await this.database.transaction(async (tx) => {
      const endsAt = requireRight(await this.rights.read(userId, report.id, access, tx));
      const isCut = endsAt?.getTime() !== wanted.endsAt?.getTime();
      if (isCut && outlives({ ...token, at }, endsAt)) return { endsAt };
      return { endsAt, grantId: await this.record(tx, wanted, token) };
    });
    if (grantId === undefined) return this.issue({ ...wanted, endsAt }, signal);
    return { ...minted, grantId, userId };
  }

  private record(tx: EntityManager, wanted: EmbedRequest, token: PbiEmbedToken): Promise<string> {
    const { userId, report, access, identities } = wanted;
    const { tokenId, expiresAt } = token;
    const [identity = null] = identities.map(({ username, roles }) => ({ username, roles }));
    const about = { userId, reportId: report.id, workspaceId: report.workspaceId };
    return this.issued.issue(tx, { ...about, tokenId, access, identity, expiresAt });
  }
}

/** The scope and the user. */
const keyOf = (wanted: EmbedRequest): string => JSON.stringify([wanted.userId, ...scopeKey(wanted)]);
