import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import { Workspace } from './workspace.entity.js';
import { WorkspaceManagerRequired } from './workspaces.errors.js';
import { WorkspacesService } from './workspaces.service.js';

/** Changes of the rights in a workspace, which only its managers and admins make. */
@Injectable()
export class ManagedWorkspacesService {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly policy: AccessPolicyService,
    private readonly database: DatabaseService,
  ) {}

  /**
   * Throws WorkspaceNotFound if the caller cannot see the workspace, WorkspaceManagerRequired if the caller cannot
   * manage it.
   */
  async require(caller: Principal, workspaceId: string, tx?: EntityManager): Promise<void> {
    // The role first: who loses it between the two reads does not see the workspace either.
    const may = await this.policy.canManage(caller, [workspaceId], tx);
    await this.workspaces.get(caller, workspaceId, tx);
    if (!may) throw new WorkspaceManagerRequired();
  }

  /**
   * Serializes changes to the rights in one workspace. Rights are checked before the lock, so that only managers can
   * take it, and again under it, because the previous change may have removed them.
   */
  async edit<T>(caller: Principal, workspaceId: string, work: (tx: EntityManager) => Promise<T>): Promise<T> {
    await this.require(caller, workspaceId);
    const locked = async (tx: EntityManager): Promise<T> => {
      await tx.findOne(Workspace, {
        where: { id: workspaceId },
        select: { id: true },
        lock: { mode: 'for_no_key_update' },
      });
      await this.require(caller, workspaceId, tx);
      return work(tx);
    };
    return this.database.contendedTransaction(locked);
  }
}
