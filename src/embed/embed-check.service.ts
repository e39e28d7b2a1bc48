import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import { ReportsService } from '../reports/reports.service.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import { WorkspaceManagerRequired } from '../workspaces/workspaces.errors.js';
import { EmbedCheckDto, EmbedCheckQuery } from './dto/embed-check.dto.js';
import { LocalCheckService } from './local-check.service.js';
import { PowerBiCheckService } from './power-bi-check.service.js';

@Injectable()
export class EmbedCheckService {
  constructor(
    private readonly reports: ReportsService,
    private readonly policy: AccessPolicyService,
    private readonly local: LocalCheckService,
    private readonly powerBi: PowerBiCheckService,
  ) {}

  /** Throws ReportNotFound, WorkspaceManagerRequired, or UserNotFound for a user whom the caller may not see. */
  async check(
    caller: Principal,
    reportId: string,
    { user_id: userId }: EmbedCheckQuery,
    signal: AbortSignal,
  ): Promise<EmbedCheckDto> {
    const report = await this.reports.get(caller, reportId);
    const may = await this.policy.canManage(caller, [report.workspaceId]);
    if (!may) throw new WorkspaceManagerRequired();
    const { identities, checks: local } = await this.local.check(caller, report, userId);
    const checks = [...local, ...(await this.powerBi.check(report, identities, signal))];
    const embeds = checks.every(({ status }) => status !== 'failed') && checks.at(-1)?.status === 'ok';
    return { report_id: report.id, user_id: userId ?? null, embeds, checks };
  }
}
