import { Injectable } from '@nestjs/common';
import { UsersService } from '../users/users.service.js';
import { Membership } from './membership.entity.js';
import { MembershipsService } from './memberships.service.js';
import { Workspace } from './workspace.entity.js';
import { WorkspacesService } from './workspaces.service.js';

export interface GrantedWorkspace {
  workspace: Workspace;
  grant: Membership;
}

/** Workspace grants of one user or service account. */
@Injectable()
export class GrantsService {
  constructor(
    private readonly users: UsersService,
    private readonly memberships: MembershipsService,
    private readonly workspaces: WorkspacesService,
  ) {}

  /** Returns active grants, ordered by workspace name. Throws UserNotFound. */
  async list(userId: string): Promise<GrantedWorkspace[]> {
    const { id } = await this.users.get(userId);
    const grants = await this.memberships.current(id);
    const workspaces = await this.workspaces.findByIds(grants.map(({ workspaceId }) => workspaceId));
    return workspaces.flatMap((workspace) =>
      grants.filter(({ workspaceId }) => workspaceId === workspace.id).map((grant) => ({ workspace, grant })),
    );
  }
}
