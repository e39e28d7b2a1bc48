import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Any, Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import type { StoredGrant } from '../grants/grant.js';
import { findActiveGrants } from '../grants/stored-grants.queries.js';
import { findGroupChains, findOuterChains } from '../groups/group-chains.queries.js';
import type { NamedGroup } from '../groups/groups.queries.js';
import { GroupsService } from '../groups/groups.service.js';
import { UsersService } from '../users/users.service.js';
import type { Workspace } from '../workspaces/workspace.entity.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { Report } from './report.entity.js';

/** An active grant of a user or a group, and the shortest way to it through groups; empty for a grant of their own. */
export interface HeldGrant {
  workspace: Workspace;
  /** Null for a grant on the whole workspace. */
  report: Report | null;
  grant: StoredGrant;
  path: readonly NamedGroup[];
}

type Holders = Parameters<typeof findActiveGrants>[1];

/** The grants of one user, service account or group, its own and through groups. */
@Injectable()
export class HeldGrantsService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly users: UsersService,
    private readonly groups: GroupsService,
    private readonly workspaces: WorkspacesService,
    private readonly clock: Clock,
  ) {}

  /** Returns active grants, ordered by workspace name. Throws UserNotFound. */
  async ofUser(userId: string): Promise<HeldGrant[]> {
    const { id } = await this.users.get(userId);
    const chains = await findGroupChains(this.reports.manager, id);
    return this.list({ userId: id, groupIds: [...chains.keys()] }, (holder) => chains.get(holder)?.[0] ?? []);
  }

  /** The same for a group; the paths do not include it. Throws GroupNotFound. */
  async ofGroup(group: string): Promise<HeldGrant[]> {
    const { id } = await this.groups.get(group);
    const chains = await findOuterChains(this.reports.manager, [id]);
    return this.list(
      { userId: null, groupIds: [...chains.keys()] },
      (holder) => chains.get(holder)?.[0]?.slice(0, -1) ?? [],
    );
  }

  private async list(
    holders: Holders,
    pathOf: (holder: string) => readonly NamedGroup[],
  ): Promise<HeldGrant[]> {
    const grants = await findActiveGrants(this.reports.manager, holders, this.clock.now());
    const found = await this.reports.findBy({ id: Any(grants.flatMap(({ reportId }) => reportId ?? [])) });
    const reports = new Map(found.map((report) => [report.id, report]));
    const inWorkspace = Map.groupBy(grants, ({ workspaceId }) => workspaceId);
    const workspaces = await this.workspaces.findByIds([...inWorkspace.keys()]);
    return workspaces.flatMap((workspace) =>
      (inWorkspace.get(workspace.id) ?? []).map((grant) => ({
        workspace,
        grant,
        report: reports.get(grant.reportId ?? '') ?? null,
        path: pathOf(grant.holderId),
      })),
    );
  }
}
