import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../../core/http/principal.js';
import { AccessPolicyService } from '../../access/grants/access-policy.service.js';
import type { Report } from '../report.entity.js';
import type { SavedView, ViewScope } from './saved-view.entity.js';
import { SharedViewNeedsManager, SharingNeedsEditor, WithdrawalNeedsOwner } from './saved-views.errors.js';

type Located = Pick<Report, 'id' | 'workspaceId'>;

/** Who may share, change and delete views. */
@Injectable()
export class ViewRightsService {
  constructor(private readonly policy: AccessPolicyService) {}

  /** Throws SharingNeedsEditor. */
  async requireEditor(tx: EntityManager, caller: Principal, report: Located): Promise<void> {
    const target = { workspaceId: report.workspaceId, reportId: report.id };
    if (!(await this.policy.canEdit(caller, target, tx))) throw new SharingNeedsEditor();
  }

  /**
   * An owner without the role editor can still withdraw or delete a shared view, but not change what others see. Throws
   * SharedViewNeedsManager, WithdrawalNeedsOwner or SharingNeedsEditor.
   */
  async requireChange(
    tx: EntityManager,
    caller: Principal,
    report: Located,
    { view, scope }: { view: SavedView; scope: ViewScope },
  ): Promise<void> {
    if (view.createdBy !== caller.id) {
      await this.requireManager(tx, caller, report);
      if (scope === 'private') throw new WithdrawalNeedsOwner();
    }
    if (scope === 'shared') await this.requireEditor(tx, caller, report);
  }

  /** Throws SharedViewNeedsManager. */
  async requireDeletion(
    tx: EntityManager,
    caller: Principal,
    report: Located,
    view: SavedView,
  ): Promise<void> {
    if (view.createdBy !== caller.id) await this.requireManager(tx, caller, report);
  }

  private async requireManager(
    tx: EntityManager,
    caller: Principal,
    { workspaceId }: Located,
  ): Promise<void> {
    if (!(await this.policy.canManage(caller, [workspaceId], tx))) throw new SharedViewNeedsManager();
  }
}
