import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import { shortestOf, shortestPaths } from '../groups/group-paths.js';
import { findDirectGroups, findEdgesBelow, findGroups } from '../groups/groups.queries.js';
import { ManagedWorkspaces } from '../workspaces/managed-workspaces.service.js';
import { type ListViewersQuery, type Viewer, viewerSortKeys } from './dto/viewer.dto.js';
import { ReportsService } from './reports.service.js';
import { listViewers, type ViewerRow } from './viewers.queries.js';

/** Who can see a report, for the managers of its workspace. */
@Injectable()
export class ViewersService {
  constructor(
    private readonly reports: ReportsService,
    private readonly managed: ManagedWorkspaces,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /** Throws ReportNotFound, or WorkspaceManagerRequired. */
  async list(caller: Principal, reportId: string, { q, ...page }: ListViewersQuery): Promise<Page<Viewer>> {
    const report = await this.reports.get(caller, reportId);
    await this.managed.require(caller, report.workspaceId);
    const { manager } = this.database;
    const now = this.clock.now();
    const { items, next } = await listPage(
      { name: 'viewers', read: (keyset) => listViewers(manager, { report, now, q, keyset }) },
      { reader: caller, ...page, q, keys: viewerSortKeys, filters: { reportId } },
      this.cursors,
    );
    return { items: await this.withPaths(items), next };
  }

  private async withPaths(rows: readonly ViewerRow[]): Promise<Viewer[]> {
    const { manager } = this.database;
    const groups = [...new Set(rows.flatMap(({ group }) => group ?? []))];
    const inGroups = rows.filter(({ group }) => group !== null).map(({ id }) => id);
    const direct = Map.groupBy(await findDirectGroups(manager, inGroups), ({ user }) => user);
    const paths = new Map<string, ReturnType<typeof shortestPaths>>();
    for (const id of groups) paths.set(id, shortestPaths(id, await findEdgesBelow(manager, id)));
    const names = new Map((await findGroups(manager, groups)).map(({ id, name }) => [id, name]));
    return rows.map((row) => {
      if (row.group === null) return { row, path: [] };
      const own = (direct.get(row.id) ?? []).map(({ group }) => group);
      const below = shortestOf(paths.get(row.group) ?? new Map(), own);
      return { row, path: [names.get(row.group) ?? '', ...below] };
    });
  }
}
