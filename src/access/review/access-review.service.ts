import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { walkUp } from '../groups/group-edges.queries.js';
import { PathFinder } from '../groups/path-finder.js';
import { ReportsService } from '../../reports/reports.service.js';
import { HoldersService } from '../../workspaces/holders.service.js';
import { ManagedWorkspacesService } from '../../workspaces/managed-workspaces.service.js';
import {
  findLastTokens,
  nextUsers,
  type ReviewedUser,
  type ReviewFilter,
  type ReviewRow,
  reviewRows,
  type RowFilter,
  type RowKey,
} from './access-review.queries.js';
import { type ReviewQueryDto, ReviewRowDto } from './dto/review.dto.js';
import { problem } from '../../core/problems/problem.js';

class ReviewTooWide extends problem(
  'access_denied',
  'A review without workspace_id or report_id requires an administrator.',
) {}

/** Users that are read at once. */
const MAX_USERS = 500;
/** Rows in memory at the same time. */
const MAX_ROWS = 250;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Who has access to what, and why: the lines of an access review. */
@Injectable()
export class AccessReviewService {
  constructor(
    private readonly managed: ManagedWorkspacesService,
    private readonly reports: ReportsService,
    private readonly holders: HoldersService,
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /**
   * Admins may review everything, managers a workspace of theirs or a report in it. Throws WorkspaceNotFound,
   * ReportNotFound, WorkspaceManagerRequired, ReviewTooWide or GroupNotFound.
   */
  async authorize(caller: Principal, query: ReviewQueryDto): Promise<ReviewFilter> {
    const { report_id: reportId, group_id: group, user_id: userId } = query;
    let { workspace_id: workspaceId } = query;
    if (reportId !== undefined) ({ workspaceId } = await this.reports.get(caller, reportId));
    if (workspaceId !== undefined) await this.managed.require(caller, workspaceId);
    else if (caller.role !== 'admin') throw new ReviewTooWide();
    if (group !== undefined)
      await this.holders.requireFound(this.database.manager, caller, { type: 'group', id: group });
    return { workspaceId, reportId, group, userId };
  }

  /** The rows that the caller may review, checked again before each batch. Throws what `authorize` throws. */
  async *rowsFor(caller: Principal, query: ReviewQueryDto): AsyncGenerator<ReviewRowDto[]> {
    for await (const rows of this.rows(await this.authorize(caller, query))) {
      await this.authorize(caller, query);
      yield rows;
    }
  }

  /**
   * Yields the lines ordered by user, 250 at a time. No transaction or connection is held between two batches,
   * however slowly the client reads.
   */
  async *rows({ userId, ...filter }: ReviewFilter): AsyncGenerator<ReviewRowDto[]> {
    const { manager } = this.database;
    const { groups } = filter.group === undefined ? {} : await walkUp(manager, [filter.group]);
    const filtered = { ...filter, groups, now: this.clock.now() };
    const paths = new PathFinder(manager);
    for (let after = FIRST_ID; ;) {
      const users = await nextUsers(manager, { after, users: MAX_USERS, userId }, filtered);
      const last = users.at(-1);
      if (last === undefined) return;
      for (const batch of batchesOf(users)) {
        for await (const rows of pagesOf(manager, batch, filtered)) {
          await paths.load(
            batch,
            rows.flatMap(({ group_id }) => group_id ?? []),
          );
          yield rows.map((row) => ReviewRowDto.from(row, paths.pathOf(row.user_id, row.group_id)));
        }
      }
      after = last.id;
    }
  }
}

/** Ids of users with rows, in batches of at most `MAX_ROWS` rows or of one user. */
function* batchesOf(users: readonly ReviewedUser[]): Generator<string[]> {
  let batch: string[] = [];
  let count = 0;
  for (const { id, rows } of users.filter((user) => user.rows > 0)) {
    if (batch.length > 0 && count + rows > MAX_ROWS) {
      yield batch;
      [batch, count] = [[], 0];
    }
    batch.push(id);
    count += rows;
  }
  if (batch.length > 0) yield batch;
}

/** Pages after the last row that was read, so that a grant that is removed meanwhile does not hide another one. */
async function* pagesOf(
  manager: EntityManager,
  users: readonly string[],
  filter: RowFilter,
): AsyncGenerator<ReviewRow[]> {
  const tokens = await findLastTokens(manager, users);
  let last: RowKey | undefined;
  do {
    const page = await reviewRows(manager, { users, tokens, after: last, limit: MAX_ROWS }, filter);
    last = page.next;
    yield page.rows;
  } while (last !== undefined);
}
