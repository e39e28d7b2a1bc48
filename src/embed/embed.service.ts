import { Injectable } from '@nestjs/common';
import { AuditService } from '../platform/audit/audit.service.js';
import { Clock } from '../core/clock.js';
import { Problem } from '../core/problems/problem.js';
import type { Principal } from '../core/http/principal.js';
import { DatabaseService } from '../core/database/database.service.js';
import { EmbedHosts } from '../power-bi/embed-hosts.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { EmbedTokenDto } from './dto/embed-token.dto.js';
import { ReportNotEmbeddable } from './embed.errors.js';
import type { EmbedRightsRow } from './embed.queries.js';
import { datasetOf, EmbedRightsService, identityOf, requireRight } from './embed-rights.service.js';
import { EmbedTokensService } from './embed-tokens.service.js';
import type { EmbedRequest } from './minted-tokens.service.js';
import { refreshIn, secondsLeft } from './token-life.js';
import type { HeldToken } from './token-reuse.js';

@Injectable()
export class EmbedService {
  constructor(
    private readonly rights: EmbedRightsService,
    private readonly tokens: EmbedTokensService,
    private readonly hosts: EmbedHosts,
    private readonly database: DatabaseService,
    private readonly audit: AuditService,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws ReportNotFound for a report that the caller may not see, the errors of `authorize`, and the `power_bi_*`
   * problems.
   */
  async embed(
    caller: Principal,
    reportId: string,
    access: EmbedAccess,
    signal: AbortSignal,
  ): Promise<EmbedTokenDto> {
    const row = await this.rights.read(caller.id, reportId, access);
    try {
      const wanted = this.authorize(caller, row, access);
      const held = await this.tokens.get(wanted, signal);
      return this.toDto(wanted, held);
    } catch (error) {
      if (error instanceof Problem && !signal.aborted) await this.recordDenial(caller, reportId, error);
      throw error;
    }
  }

  /** Throws the errors of `requireRight`, ReportNotEmbeddable and IdentityRequired. */
  private authorize({ id: userId }: Principal, row: EmbedRightsRow, access: EmbedAccess): EmbedRequest {
    const endsAt = requireRight(row);
    if (!this.hosts.allow(row.embed_url)) throw new ReportNotEmbeddable();
    const report = reportOf(row);
    const dataset = datasetOf(row);
    const identity = identityOf(row);
    const identities = identity === null ? [] : [identity];
    return {
      userId,
      email: row.kind === 'service' ? null : row.email,
      report,
      access,
      endsAt,
      dataset,
      identities,
      profileId: row.pbi_profile_id ?? undefined,
    };
  }

  private toDto({ report, access }: EmbedRequest, { token, at }: HeldToken): EmbedTokenDto {
    const expiresIn = secondsLeft({ ...token, at }, this.clock.now());
    return {
      token: token.token,
      token_id: token.tokenId,
      expires_at: token.expiresAt,
      expires_in: expiresIn,
      refresh_in: refreshIn(expiresIn),
      embed_url: report.embedUrl,
      report_id: report.id,
      pbi_report_id: report.pbiReportId,
      access,
    };
  }

  private recordDenial(caller: Principal, reportId: string, { code }: Problem): Promise<void> {
    return this.database.transaction((tx) =>
      this.audit.record(tx, {
        action: 'embed_token_denied',
        outcome: 'denied',
        actorId: caller.id,
        target: { type: 'report', id: reportId },
        details: { code },
      }),
    );
  }
}

const reportOf = (row: EmbedRightsRow): EmbedRequest['report'] => ({
  id: row.report_id,
  workspaceId: row.workspace_id,
  pbiReportId: row.pbi_report_id,
  pbiDatasetId: row.pbi_dataset_id,
  reportType: row.report_type,
  embedUrl: row.embed_url,
});
