import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { type AuditEntry, AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { requestContext } from '../core/http/request-context.js';
import { rolesAllowing } from '../access/grants/grant.js';
import { ReportNotFound } from '../reports/reports.errors.js';
import type { Revoked } from './embed-revocation.entity.js';
import { requireRight } from './embed-rights.service.js';
import { EmbedInputsChanged } from './embed.errors.js';
import { type IssueRow, issueEmbedToken } from './embed.queries.js';
import { type EmbedRequest, MintedTokensService, scopeKey } from './minted-tokens.service.js';
import { requiredEnd } from './token-life.js';
import { type HeldToken, type MintedToken, TokenReuse } from './token-reuse.js';
import { TokenUsageService } from './token-usage.service.js';

/** Returns embed tokens after authorization: reuses the user's token or issues a new one. */
@Injectable()
export class EmbedTokensService {
  private readonly reuse = new TokenReuse<HeldToken>();

  constructor(
    private readonly minted: MintedTokensService,
    private readonly tokenUsage: TokenUsageService,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /** Throws EmbedInputsChanged when what determines the token changed meanwhile: the rights must be read again. */
  async get(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
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
   * The statement that records the token checks the right again, because it may have been removed during the call. If the right was
   * shortened, a token that would outlive it is replaced. One for an identity that has changed is discarded.
   */
  private async issue(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
    const minted = await this.minted.mintOrShare(wanted, signal);
    const grantId = uuidv7();
    const row = await this.record(grantId, wanted, minted);
    if (row === undefined) throw new ReportNotFound();
    const endsAt = requireRight(row);
    if (!row.is_same) throw new EmbedInputsChanged();
    if (!row.is_issued) return this.issue({ ...wanted, endsAt }, signal);
    return { ...minted, grantId, userId: wanted.row.user_id };
  }

  /** Writes the issued token and its audit event if the right allows it. */
  private record(id: string, wanted: EmbedRequest, minted: MintedToken): Promise<IssueRow | undefined> {
    const { row: requested, access, identities } = wanted;
    const { user_id: userId, report_id: reportId } = requested;
    const { tokenId, expiresAt } = minted.token;
    const [identity = null] = identities.map(({ username, roles }) => ({ username, roles }));
    const request = requestContext();
    const [ip, requestId] = [request?.ip ?? null, request?.requestId ?? null];
    const token = { id, tokenId, access, identity, expiresAt, ip, requestId };
    const query = { userId, reportId, roles: rolesAllowing[access], now: this.clock.now() };
    const rightUntil = requiredEnd({ ...minted.token, at: minted.at }, wanted.endsAt);
    const entry: AuditEntry = {
      action: 'embed_token_issued',
      actorId: userId,
      target: { type: 'report', id: reportId },
      details: { access, token_id: tokenId },
    };
    return this.audit.recordBy(this.database.manager, entry, {
      write: (audit) =>
        this.database.statement((manager) =>
          issueEmbedToken(manager, query, { token, rightUntil, requested, audit }),
        ),
      isWritten: (row) => row?.is_issued === true,
    });
  }
}

/** The scope and the user. */
const keyOf = (wanted: EmbedRequest): string => JSON.stringify([wanted.row.user_id, ...scopeKey(wanted)]);
