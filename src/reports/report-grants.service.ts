import { Injectable } from '@nestjs/common';
import type { Principal } from '../core/http/principal.js';
import type { Holder, Target } from '../grants/grant.js';
import type { NamedGrant, RequestedGrant } from '../workspaces/dto/target-grant.dto.js';
import { TargetGrantsService } from '../workspaces/target-grants.service.js';
import { ReportsService } from './reports.service.js';

/** Grants on single reports. Each method throws ReportNotFound for a report that the caller may not see. */
@Injectable()
export class ReportGrantsService {
  constructor(
    private readonly reports: ReportsService,
    private readonly grants: TargetGrantsService,
  ) {}

  async list(caller: Principal, reportId: string): Promise<NamedGrant[]> {
    return this.grants.list(caller, await this.targetOf(caller, reportId));
  }

  async set(caller: Principal, reportId: string, holder: Holder, grant: RequestedGrant): Promise<NamedGrant> {
    return this.grants.set(caller, await this.targetOf(caller, reportId), holder, grant);
  }

  async remove(caller: Principal, reportId: string, holder: Holder): Promise<void> {
    return this.grants.remove(caller, await this.targetOf(caller, reportId), holder);
  }

  private async targetOf(caller: Principal, reportId: string): Promise<Target> {
    const { workspaceId } = await this.reports.get(caller, reportId);
    return { workspaceId, reportId };
  }
}
