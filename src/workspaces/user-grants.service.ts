import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { UsersService } from '../users/users.service.js';
import type { StoredGrant } from '../grants/grant.js';
import { findOwnGrants } from '../grants/stored-grants.queries.js';
import { Workspace } from './workspace.entity.js';
import { WorkspacesService } from './workspaces.service.js';

export interface GrantedWorkspace {
  workspace: Workspace;
  grant: StoredGrant;
}

/** Workspace grants of one user or service account. */
@Injectable()
export class UserGrantsService {
  constructor(
    private readonly users: UsersService,
    private readonly database: DatabaseService,
    private readonly workspaces: WorkspacesService,
    private readonly clock: Clock,
  ) {}

  /** Returns active grants, ordered by workspace name. Throws UserNotFound. */
  async list(userId: string): Promise<GrantedWorkspace[]> {
    const { id } = await this.users.get(userId);
    const grants = await findOwnGrants(this.database.manager, id, this.clock.now());
    const workspaces = await this.workspaces.findByIds(grants.map(({ workspaceId }) => workspaceId));
    return workspaces.flatMap((workspace) =>
      grants.filter(({ workspaceId }) => workspaceId === workspace.id).map((grant) => ({ workspace, grant })),
    );
  }
}
