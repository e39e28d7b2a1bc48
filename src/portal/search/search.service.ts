import { Injectable } from '@nestjs/common';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { Rank } from '../../core/lists/name-rank.js';
import { RecentReportsService } from '../../reports/favourites/recent-reports.service.js';
import { searchReports } from '../../reports/report-search.queries.js';
import { searchUsers } from '../../users/users.queries.js';
import { searchWorkspaces } from '../../workspaces/workspaces.queries.js';
import { WorkspacesService } from '../../workspaces/workspaces.service.js';
import type { SearchQuery, SearchResultDto } from './dto/search.dto.js';

interface Ranked extends SearchResultDto {
  rank: Rank;
}

/**
 * Merges the results of several types, each in order. Types take turns within a rank, so that many reports with similar
 * names do not hide their workspace.
 */
function merge(types: readonly (readonly Ranked[])[], limit: number): SearchResultDto[] {
  const placed = types.flatMap((results) =>
    results.map(({ rank, ...result }) => {
      const turn = results.filter((other) => other.rank === rank).findIndex(({ id }) => id === result.id);
      return { rank, turn, result };
    }),
  );
  return placed
    .toSorted((a, b) => a.rank - b.rank || a.turn - b.turn)
    .slice(0, limit)
    .map(({ result }) => result);
}

/** Searches what the caller may see. */
@Injectable()
export class SearchService {
  constructor(
    private readonly database: DatabaseService,
    private readonly workspaces: WorkspacesService,
    private readonly recents: RecentReportsService,
    private readonly clock: Clock,
  ) {}

  async search(caller: Principal, query: SearchQuery): Promise<SearchResultDto[]> {
    const q = query.q.trim();
    return this.named(
      q === '' ? await this.suggest(caller, query.limit) : await this.find(caller, q, query.limit),
    );
  }

  private async find(caller: Principal, q: string, limit: number): Promise<SearchResultDto[]> {
    const { manager } = this.database;
    const search = { caller, now: this.clock.now(), q, limit };
    const reports = await searchReports(manager, search);
    const workspaces = await searchWorkspaces(manager, search);
    const users = caller.role === 'admin' ? await searchUsers(manager, q, limit) : [];
    return merge(
      [
        workspaces.map((found) => ({ type: 'workspace', ...found })),
        reports.map(({ workspaceId, ...found }) => ({ type: 'report', ...found, workspace_id: workspaceId })),
        users.map((found) => ({ type: 'user', ...found })),
      ],
      limit,
    );
  }

  /** Recently opened reports, then workspaces by name. */
  private async suggest(caller: Principal, limit: number): Promise<SearchResultDto[]> {
    const recent = (await this.recents.list(caller)).slice(0, limit);
    const reports = recent.map(({ id, name, workspaceId }): SearchResultDto => ({
      type: 'report',
      id,
      name,
      workspace_id: workspaceId,
    }));
    if (reports.length === limit) return reports;
    const { items } = await this.workspaces.list(caller, { limit: limit - reports.length, sort: 'name' });
    return [...reports, ...items.map(({ id, name }): SearchResultDto => ({ type: 'workspace', id, name }))];
  }

  /** Adds the names of the workspaces, which tell reports with equal names apart. */
  private async named(results: SearchResultDto[]): Promise<SearchResultDto[]> {
    const ids = [...new Set(results.flatMap(({ workspace_id: id }) => id ?? []))];
    const found = await this.workspaces.findByIds(ids);
    const names = new Map(found.map(({ id, name }) => [id, name]));
    return results.map((result) => {
      const name = names.get(result.workspace_id ?? '');
      return name === undefined ? result : { ...result, workspace_name: name };
    });
  }
}
