import { Injectable } from '@nestjs/common';
import type { Page } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import type { Holder, Target } from '../grants/grant.js';
import type { ListGrantsQuery, RequestedGrant } from '../workspaces/dto/target-grant.dto.js';
import { ListedGrantsService } from '../workspaces/listed-grants.service.js';
import type { NamedGrant } from '../workspaces/target-grants.queries.js';
import { TargetGrantsService } from '../workspaces/target-grants.service.js';
import { ReportsService } from './reports.service.js';

/** Grants on single reports. Each method throws ReportNotFound for a report that the caller may not see. */
@Injectable()
export class ReportGrantsService {
  constructor(
    private readonly reports: ReportsService,
    private readonly listed: ListedGrantsService,
    private readonly grants: TargetGrantsService,
  ) {}

  async list(caller: Principal, reportId: string, query: ListGrantsQuery): Promise<Page<NamedGrant>> {
    return this.listed.list(caller, await this.targetOf(caller, reportId), query);
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
