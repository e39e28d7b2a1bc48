import { Injectable } from '@nestjs/common';
import { Audit } from '../audit/audit.service.js';
import { DatasetsService } from '../catalogue/datasets.service.js';
import { Problem } from '../common/problem.js';
import type { Principal } from '../common/principal.js';
import { Database } from '../database/database.service.js';
import { PowerBi } from '../power-bi/power-bi.service.js';
import type { EffectiveIdentity, PbiEmbedToken } from '../power-bi/power-bi.types.js';
import type { Report } from '../reports/report.entity.js';
import { ReportsService } from '../reports/reports.service.js';
import { UsersService } from '../users/users.service.js';
import { MembershipsService } from '../workspaces/memberships.service.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { EmbedTokenDto } from './dto/embed-token.dto.js';
import { effectiveIdentity } from './effective-identity.js';
import { EditNeedsEditor } from './embed.errors.js';

/** The longest that Power BI gives by default; a managed identity's token would allow a day. */
const LIFETIME_MINUTES = 60;
/** Renewed while it still lives this long, so that no viewer sees it run out. */
const RENEW_BEFORE_SECONDS = 300;

@Injectable()
export class EmbedService {
  constructor(
    private readonly reports: ReportsService,
    private readonly datasets: DatasetsService,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly powerBi: PowerBi,
    private readonly database: Database,
    private readonly audit: Audit,
  ) {}

  /** Throws ReportNotFound for a report that is not the caller's, and the `power_bi_*` problems. */
  async embed(caller: Principal, reportId: string, access: EmbedAccess): Promise<EmbedTokenDto> {
    const report = await this.reports.get(caller, reportId);
    try {
      await this.authorise(caller, report, access);
      const identities = await this.identitiesFor(caller, report);
      const token = await this.mint(report, access, identities);
      await this.record(caller, report, 'embed_token_issued', { access, token_id: token.tokenId });
      return answer(report, access, token);
    } catch (error) {
      if (error instanceof Problem)
        await this.record(caller, report, 'embed_token_denied', { code: error.code });
      throw error;
    }
  }

  private async authorise(caller: Principal, report: Report, access: EmbedAccess): Promise<void> {
    if (access === 'view') return;
    const may = await this.memberships.mayEverywhere(caller, 'editor', [report.workspaceId]);
    if (!may) throw new EditNeedsEditor();
  }

  private async identitiesFor(caller: Principal, report: Report): Promise<EffectiveIdentity[]> {
    if (report.pbiDatasetId === null) return [];
    const dataset = await this.datasets.findForReport(report.workspaceId, report.pbiDatasetId);
    if (dataset === null) return [];
    const identity = effectiveIdentity(dataset, await this.users.get(caller.id));
    return identity === null ? [] : [identity];
  }

  /** Scope and identity are ours; the caller chose a report and nothing else. */
  private mint(report: Report, access: EmbedAccess, identities: EffectiveIdentity[]): Promise<PbiEmbedToken> {
    return this.powerBi.generateToken({
      reports: [report.pbiReportId],
      datasets: report.pbiDatasetId === null ? [] : [report.pbiDatasetId],
      allowEdit: access === 'edit',
      identities,
      lifetimeMinutes: LIFETIME_MINUTES,
    });
  }

  private record(
    caller: Principal,
    report: Report,
    action: 'embed_token_issued' | 'embed_token_denied',
    details: Record<string, unknown>,
  ): Promise<void> {
    const outcome = action === 'embed_token_issued' ? 'allowed' : 'denied';
    const target = { type: 'report', id: report.id } as const;
    return this.database.transaction((tx) =>
      this.audit.record(tx, { action, outcome, actorId: caller.id, target, details }),
    );
  }
}

function answer(report: Report, access: EmbedAccess, token: PbiEmbedToken): EmbedTokenDto {
  return {
    token: token.token,
    token_id: token.tokenId,
    expires_at: token.expiresAt,
    expires_in: token.expiresIn,
    refresh_in: Math.max(1, token.expiresIn - RENEW_BEFORE_SECONDS),
    embed_url: report.embedUrl,
    report_id: report.id,
    pbi_report_id: report.pbiReportId,
    access,
  };
}
