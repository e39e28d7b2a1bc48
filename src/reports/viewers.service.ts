import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import { PathFinder } from '../access/groups/path-finder.js';
import { ManagedWorkspacesService } from '../workspaces/managed-workspaces.service.js';
import { type ListViewersQuery, type Viewer, viewerSortKeys } from './dto/viewer.dto.js';
import { ReportsService } from './reports.service.js';
import { listViewers, type ViewerRow } from './viewers.queries.js';

/** Who can see a report, for the managers of its workspace. */
@Injectable()
export class ViewersService {
  constructor(
    private readonly reports: ReportsService,
    private readonly managed: ManagedWorkspacesService,
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
    const paths = new PathFinder(this.database.manager);
    const inGroups = rows.filter(({ group }) => group !== null);
    await paths.load(
      inGroups.map(({ id }) => id),
      inGroups.flatMap(({ group }) => group ?? []),
    );
    return rows.map((row) => ({ row, path: paths.pathOf(row.id, row.group) }));
  }
}
