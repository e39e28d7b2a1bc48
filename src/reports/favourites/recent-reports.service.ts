import { Injectable } from '@nestjs/common';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { listOpenedReports } from '../../embed/issued-tokens.queries.js';
import { TokenUsageService } from '../../embed/token-usage.service.js';
import type { ListedReport } from '../reports.queries.js';
import { ReportsService } from '../reports.service.js';

const MAX_LISTED = 20;

/** The reports that each person opened last: those of their embed tokens. */
@Injectable()
export class RecentReportsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly reports: ReportsService,
    private readonly tokenUsage: TokenUsageService,
  ) {}

  /** The reports that the caller may see now, last opened first. None of a service account: it opens reports on behalf of others. */
  async list(caller: Principal): Promise<ListedReport[]> {
    if (caller.isService === true) return [];
    await this.tokenUsage.flush();
    const ids = await listOpenedReports(this.database.manager, caller.id);
    return (await this.reports.findByIds(caller, ids)).slice(0, MAX_LISTED);
  }
}
