import { Injectable } from '@nestjs/common';
import { DatasetsService } from '../catalogue/datasets.service.js';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { PowerBiService } from '../power-bi/power-bi.service.js';
import type { EffectiveIdentity, PbiEmbedToken } from '../power-bi/power-bi.types.js';
import { identityRequirement } from '../power-bi/translate.js';
import { ApiRateLimitsService } from '../platform/rate-limit/api-rate-limits.service.js';
import { addressOf } from '../users/users.queries.js';
import type { EmbedAccess } from './dto/embed-token.dto.js';
import type { EmbedRightsRow } from './embed.queries.js';
import { isReusable, lifetimeMinutes } from './token-life.js';
import { type MintedToken, TokenReuse } from './token-reuse.js';

/** An authorized request for an embed token, from current database state. */
export interface EmbedRequest {
  row: EmbedRightsRow;
  access: EmbedAccess;
  identities: EffectiveIdentity[];
  /** When the right expires; null if it does not. */
  endsAt: Date | null;
}

/** Requests embed tokens from Power BI. */
@Injectable()
export class MintedTokensService {
  /** Tokens shared between users, if enabled (docs/decisions/shared-embed-tokens.md). */
  private readonly shared = new TokenReuse<MintedToken>();

  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly powerBi: PowerBiService,
    private readonly datasets: DatasetsService,
    private readonly rateLimits: ApiRateLimitsService,
  ) {}

  /**
   * Requests a new token, or shares one between users when sharing is enabled and no effective identity applies. Throws
   * TooManyRequests for too many new tokens; one from the cache does not count.
   */
  async mintOrShare(wanted: EmbedRequest, signal: AbortSignal): Promise<MintedToken> {
    const { row, identities, access } = wanted;
    const mint = async (until: AbortSignal): Promise<MintedToken> => {
      const token = await this.mint(wanted, until);
      const [at, atMonotonic] = [this.clock.now(), this.clock.monotonic()];
      return { token, at, atMonotonic, reportId: row.report_id, workspaceId: row.workspace_id };
    };
    const isShared = this.config.powerBi.sharesTokens && identities.length === 0 && access === 'view';
    const key = JSON.stringify(scopeKey(wanted));
    const held = isShared ? this.shared.find(key) : undefined;
    if (held !== undefined && this.canReuse(held, wanted)) return held;
    // A service account requests tokens for all users of a backend: its limit is that of its requests.
    if (row.kind !== 'service') await this.rateLimits.consumeEmbedToken(row.user_id);
    return isShared ? this.shared.share(key, signal, mint) : mint(signal);
  }

  /** Whether the token still fits the request and lasts long enough to be returned again. */
  canReuse({ token, at, atMonotonic }: MintedToken, { endsAt }: EmbedRequest): boolean {
    const promised = this.config.powerBi.minimumTokenMinutes * 60;
    return isReusable({ ...token, at, atMonotonic }, this.clock, promised, endsAt);
  }

  /** Removes matching shared tokens from the cache. */
  forget(matches: (held: MintedToken) => boolean): void {
    this.shared.forget(matches);
  }

  /** The server determines scope and identity; the client chooses only the report and the access. */
  private async mint(wanted: EmbedRequest, signal: AbortSignal): Promise<PbiEmbedToken> {
    const { row, access, endsAt } = wanted;
    const { maximumTokenMinutes } = this.config.powerBi;
    try {
      return await this.powerBi.generateToken({
        reports: [row.pbi_report_id],
        datasets: row.pbi_dataset_id === null ? [] : [row.pbi_dataset_id],
        isPaginated: row.report_type === 'PaginatedReport',
        allowEdit: access === 'edit',
        identities: this.withAuditableContext(wanted),
        lifetimeMinutes: lifetimeMinutes(endsAt, this.clock.now(), maximumTokenMinutes),
        profileId: row.pbi_profile_id ?? undefined,
        signal,
      });
    } catch (error) {
      const requirement = identityRequirement(error);
      if (requirement !== undefined && row.dataset_id !== null)
        await this.datasets.recordIdentityRequirement(row.dataset_id, requirement);
      throw error;
    }
  }

  /** Tokens with an identity are never shared, so each names one user. */
  private withAuditableContext({ row, identities }: EmbedRequest): EffectiveIdentity[] {
    const { auditableContext } = this.config.powerBi;
    if (auditableContext === 'off') return identities;
    const name = (auditableContext === 'email' ? addressOf(row) : null) ?? row.user_id;
    return identities.map((identity) => ({ ...identity, auditableContext: name }));
  }
}

/** Everything that determines what a token gives access to, and for how long. */
export const scopeKey = ({ row, access, identities, endsAt }: EmbedRequest): unknown[] => [
  row.report_id,
  row.workspace_id,
  row.pbi_report_id,
  row.pbi_dataset_id,
  access,
  identities,
  row.pbi_profile_id,
  row.policy_version,
  endsAt,
];
