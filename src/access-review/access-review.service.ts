import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { PathFinder } from '../groups/path-finder.js';
import { ReportsService } from '../reports/reports.service.js';
import { ManagedWorkspaces } from '../workspaces/managed-workspaces.service.js';
import { nextUsers, type ReviewFilter, reviewRows } from './access-review.queries.js';
import { type ReviewQueryDto, ReviewRowDto } from './dto/review.dto.js';
import { ReviewTooWide } from './access-review.errors.js';

/** Users whose rows are in memory at the same time. */
const BATCH = 500;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Who has access to what, and why: the lines of an access review. */
@Injectable()
export class AccessReviewService {
  constructor(
    private readonly managed: ManagedWorkspaces,
    private readonly reports: ReportsService,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /**
   * Admins may review everything, managers a workspace of theirs or a report in it. Throws WorkspaceNotFound,
   * ReportNotFound, WorkspaceManagerRequired or ReviewTooWide.
   */
  async authorize(caller: Principal, query: ReviewQueryDto): Promise<ReviewFilter> {
    const { report_id: reportId, group_id: group, user_id: userId } = query;
    let { workspace_id: workspaceId } = query;
    if (reportId !== undefined) ({ workspaceId } = await this.reports.get(caller, reportId));
    if (workspaceId !== undefined) await this.managed.require(caller, workspaceId);
    else if (caller.role !== 'admin') throw new ReviewTooWide();
    return { workspaceId, reportId, group, userId };
  }

  /**
   * Yields the lines ordered by user, those of at most 500 users at a time. No transaction or connection is held between
   * two batches, however slowly the client reads.
   */
  async *rows(filter: ReviewFilter): AsyncGenerator<ReviewRowDto[]> {
    const { manager } = this.database;
    const now = this.clock.now();
    const paths = new PathFinder(manager);
    for (let after = FIRST_ID; ;) {
      const users = await nextUsers(manager, { after, users: BATCH, userId: filter.userId });
      const last = users.at(-1);
      if (last === undefined) return;
      const rows = await reviewRows(manager, users, { ...filter, now });
      await paths.load(
        users,
        rows.flatMap(({ group_id }) => group_id ?? []),
      );
      yield rows.map((row) => ReviewRowDto.from(row, paths.pathOf(row.user_id, row.group_id)));
      after = last;
    }
  }
}
