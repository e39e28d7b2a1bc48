import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { Cursors } from '../core/lists/cursors.js';
import { listPage, type Page } from '../core/lists/pagination.js';
import type { Principal } from '../core/http/principal.js';
import type { Target } from '../access/grants/grant.js';
import { grantSortKeys, type ListGrantsQuery } from './dto/target-grant.dto.js';
import { ManagedWorkspacesService } from './managed-workspaces.service.js';
import { listNamedGrants, type NamedGrant } from './target-grants.queries.js';

/** Grants of people and groups on a workspace or on one report of it, as the workspace's managers list them. */
@Injectable()
export class ListedGrantsService {
  constructor(
    private readonly managed: ManagedWorkspacesService,
    private readonly database: DatabaseService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /** Active grants. Throws WorkspaceNotFound or WorkspaceManagerRequired. */
  async list(caller: Principal, target: Target, { q, ...page }: ListGrantsQuery): Promise<Page<NamedGrant>> {
    await this.managed.require(caller, target.workspaceId);
    const { manager } = this.database;
    const now = this.clock.now();
    return listPage(
      { name: 'grants', read: (keyset) => listNamedGrants(manager, { target, now, q, keyset }) },
      { reader: caller, ...page, q, keys: grantSortKeys, filters: { ...target } },
      this.cursors,
    );
  }
}
