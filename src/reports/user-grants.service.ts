import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import type { StoredGrant } from '../grants/grant.js';
import { findActiveGrants } from '../grants/stored-grants.queries.js';
import { findGroupChains, type NamedGroup } from '../groups/groups.queries.js';
import { UsersService } from '../users/users.service.js';
import type { Workspace } from '../workspaces/workspace.entity.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { Report } from './report.entity.js';

/** An active grant of a user, and the shortest way to it through groups; empty for a grant of their own. */
export interface HeldGrant {
  workspace: Workspace;
  /** Null for a grant on the whole workspace. */
  report: Report | null;
  grant: StoredGrant;
  path: readonly NamedGroup[];
}

/** The grants of one user or service account, direct and through groups. */
@Injectable()
export class UserGrantsService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly users: UsersService,
    private readonly workspaces: WorkspacesService,
    private readonly clock: Clock,
  ) {}

  /** Returns active grants, ordered by workspace name. Throws UserNotFound. */
  async list(userId: string): Promise<HeldGrant[]> {
    const { id } = await this.users.get(userId);
    const { manager } = this.reports;
    const chains = await findGroupChains(manager, id);
    const holders = { userId: id, groupIds: [...chains.keys()] };
    const grants = await findActiveGrants(manager, holders, this.clock.now());
    const reports = await this.reports.findBy({ id: In(grants.flatMap(({ reportId }) => reportId ?? [])) });
    const workspaces = await this.workspaces.findByIds(grants.map(({ workspaceId }) => workspaceId));
    return workspaces.flatMap((workspace) =>
      grants
        .filter(({ workspaceId }) => workspaceId === workspace.id)
        .map((grant) => ({
          workspace,
          grant,
          report: reports.find((report) => report.id === grant.reportId) ?? null,
          path: chains.get(grant.holderId)?.[0] ?? [],
        })),
    );
  }
}
