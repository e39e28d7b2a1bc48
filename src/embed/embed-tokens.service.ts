import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AuditService } from '../audit/audit.service.js';
import type { Dataset } from '../catalogue/dataset.entity.js';
import { DatasetsService } from '../catalogue/datasets.service.js';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { EffectiveIdentity, PbiEmbedToken } from '../power-bi/power-bi.types.js';
import { identityRequirement } from '../power-bi/translate.js';
import type { Report } from '../reports/report.entity.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { IssuedTokensService } from './issued-tokens.service.js';
import { TokenUsageService } from './token-usage.service.js';
import { EmbedRightsService, requireRight } from './embed-rights.service.js';
import { isReusable, lifetimeMinutes, outlives } from './token-life.js';
import { type HeldToken, type MintedToken, TokenReuse } from './token-reuse.js';

/** An authorized request for an embed token, from current database state. */
export interface EmbedRequest {
  userId: string;
  report: Pick<Report, 'id' | 'workspaceId' | 'pbiReportId' | 'pbiDatasetId' | 'reportType' | 'embedUrl'>;
  dataset: Pick<
    Dataset,
    'id' | 'pbiDatasetId' | 'identityRequired' | 'identityRolesRequired' | 'identityPolicy' | 'policyVersion'
  > | null;
  identities: EffectiveIdentity[];
  access: EmbedAccess;
  profileId: string | undefined;
  /** When the right expires; null if it does not. */
  endsAt: Date | null;
}

/** Returns embed tokens after authorization: reuses the user's token or issues a new one. */
@Injectable()
export class EmbedTokensService {
  private readonly reuse = new TokenReuse<HeldToken>();
  /** Tokens shared between users, if enabled (docs/decisions/shared-embed-tokens.md). */
  private readonly shared = new TokenReuse<MintedToken>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly powerBi: PowerBiService,
    private readonly rights: EmbedRightsService,
    private readonly grants: IssuedTokensService,
    private readonly tokenUsage: TokenUsageService,
    private readonly datasets: DatasetsService,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
  ) {}

  async get(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
    const held = this.reuse.find(keyOf(wanted));
    if (held !== undefined && this.isGood(held, wanted)) {
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

  /** Removes matching tokens from the cache; null matches any value. */
  removeHeld(about: { userId: string | null; reportId: string | null; workspaceId: string | null }): void {
    const isAbout = (held: MintedToken): boolean =>
      (about.reportId ?? held.reportId) === held.reportId &&
      (about.workspaceId ?? held.workspaceId) === held.workspaceId;
    this.reuse.forget((held) => (about.userId ?? held.userId) === held.userId && isAbout(held));
    this.shared.forget((held) => about.userId === null && isAbout(held));
  }

  private isGood({ token, at }: MintedToken, { endsAt }: EmbedRequest): boolean {
    const promised = this.config.powerBi.minimumTokenMinutes * 60;
    return isReusable({ ...token, at }, this.clock.now(), promised, endsAt);
  }

  /**
   * Rights are checked again in the transaction that records the token, because they may have been removed during the
   * call. If the right was shortened, a token that would outlive it is replaced.
   */
  private async issue(wanted: EmbedRequest, signal: AbortSignal): Promise<HeldToken> {
    const { userId, report, access } = wanted;
    const minted = await this.mintOrShare(wanted, signal);
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

  private async record(tx: EntityManager, wanted: EmbedRequest, token: PbiEmbedToken): Promise<string> {
    const { userId, report, access, identities } = wanted;
    const { tokenId, expiresAt } = token;
    const [identity = null] = identities.map(({ username, roles }) => ({ username, roles }));
    const about = { userId, reportId: report.id, workspaceId: report.workspaceId };
    const [grantId] = await Promise.all([
      this.grants.issue(tx, { ...about, tokenId, access, identity, expiresAt }),
      this.audit.record(tx, {
        action: 'embed_token_issued',
        actorId: userId,
        target: { type: 'report', id: report.id },
        details: { access, token_id: tokenId },
      }),
    ]);
    return grantId;
  }

  /** Requests a new token, or shares one between users when sharing is enabled and no effective identity applies. */
  private async mintOrShare(wanted: EmbedRequest, signal: AbortSignal): Promise<MintedToken> {
    const { report, identities, access } = wanted;
    const mint = async (until: AbortSignal): Promise<MintedToken> => {
      const token = await this.mint(wanted, until);
      return { token, at: this.clock.now(), reportId: report.id, workspaceId: report.workspaceId };
    };
    const isShared = this.config.powerBi.sharesTokens && identities.length === 0 && access === 'view';
    if (!isShared) return mint(signal);
    const key = JSON.stringify(scopeKey(wanted));
    const held = this.shared.find(key);
    return held !== undefined && this.isGood(held, wanted) ? held : this.shared.share(key, signal, mint);
  }

  /** The server determines scope and identity; the client chooses only the report and the access. */
  private async mint(wanted: EmbedRequest, signal: AbortSignal): Promise<PbiEmbedToken> {
    const { report, access, identities, dataset, profileId, endsAt } = wanted;
    try {
      return await this.powerBi.generateToken({
        reports: [report.pbiReportId],
        datasets: report.pbiDatasetId === null ? [] : [report.pbiDatasetId],
        allowEdit: access === 'edit',
        identities,
        lifetimeMinutes: lifetimeMinutes(endsAt, this.clock.now()),
        profileId,
        signal,
      });
    } catch (error) {
      const lesson = identityRequirement(error);
      if (lesson !== undefined && dataset !== null)
        await this.datasets.recordIdentityRequirement(dataset.id, lesson);
      throw error;
    }
  }
}

/** Everything that determines what a token gives access to, and for how long. */
const scopeKey = ({ report, access, dataset, identities, profileId, endsAt }: EmbedRequest): unknown[] => [
  report.id,
  report.workspaceId,
  report.pbiReportId,
  report.pbiDatasetId,
  access,
  identities,
  profileId,
  dataset?.policyVersion,
  endsAt,
];

/** The scope and the user. */
const keyOf = (wanted: EmbedRequest): string => JSON.stringify([wanted.userId, ...scopeKey(wanted)]);
