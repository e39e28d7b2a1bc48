import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { AuditService } from '../../platform/audit/audit.service.js';
import { differences } from '../../platform/audit/differences.js';
import { Clock } from '../../core/clock.js';
import { DatabaseService } from '../../core/database/database.service.js';
import type { Principal } from '../../core/http/principal.js';
import { Cursors } from '../../core/lists/cursors.js';
import { searchNames } from '../../core/lists/name-search.js';
import { listPage, type Page, selectedBy } from '../../core/lists/pagination.js';
import type { ReplayCheck } from '../../platform/idempotency/idempotency.interceptor.js';
import { AccessPolicyService } from '../../access/grants/access-policy.service.js';
import type { Report } from '../report.entity.js';
import { ReportsService } from '../reports.service.js';
import {
  type CreateSavedViewDto,
  type ListSavedViewsQuery,
  savedViewSortKeys,
  type UpdateSavedViewDto,
} from './dto/saved-view.dto.js';
import { SavedView, type ViewScope } from './saved-view.entity.js';
import {
  SavedViewNotFound,
  SharedViewNeedsManager,
  SharingNeedsEditor,
  TooManySavedViews,
  WithdrawalNeedsOwner,
} from './saved-views.errors.js';
import { countOwnViews, findVisibleView } from './saved-views.queries.js';

/** For each person and report. */
const MAX_VIEWS = 100;

type Located = Pick<Report, 'id' | 'workspaceId'>;
type SharedViewAction = 'saved_view_shared' | 'saved_view_changed' | 'saved_view_deleted';

/** Every method throws ReportNotFound for a report that the caller may not see. */
@Injectable()
export class SavedViewsService implements ReplayCheck {
  constructor(
    private readonly database: DatabaseService,
    private readonly reports: ReportsService,
    private readonly policy: AccessPolicyService,
    private readonly audit: AuditService,
    private readonly cursors: Cursors,
    private readonly clock: Clock,
  ) {}

  /** The caller's own views and the shared ones. */
  async list(
    caller: Principal,
    reportId: string,
    { q, ...page }: ListSavedViewsQuery,
  ): Promise<Page<SavedView>> {
    const { id } = await this.reports.get(caller, reportId);
    const query = this.database.manager
      .createQueryBuilder(SavedView, 'view')
      .where('view.reportId = :id', { id })
      .andWhere(`(view.createdBy = :callerId OR view.scope = 'shared')`, { callerId: caller.id });
    searchNames(query, q, 'view.name');
    const paged = { reader: caller, ...page, q, keys: savedViewSortKeys, filters: { report_id: id } };
    return listPage(selectedBy(query), paged, this.cursors);
  }

  /** Throws SavedViewNotFound. */
  async get(caller: Principal, reportId: string, id: string): Promise<SavedView> {
    const report = await this.reports.get(caller, reportId);
    return this.find(this.database.manager, caller, { reportId: report.id, id });
  }

  async isStillAllowed(caller: Principal, _body: object, { id = '' }: { id?: string }): Promise<void> {
    await this.reports.get(caller, id);
  }

  /** Throws SharingNeedsEditor or TooManySavedViews. */
  async create(caller: Principal, reportId: string, input: CreateSavedViewDto): Promise<SavedView> {
    const report = await this.reports.get(caller, reportId, this.database.manager);
    const { name, scope = 'private', state, page = null } = input;
    const now = this.clock.now();
    const view = { id: uuidv7(), reportId: report.id, name, scope, state, page, createdBy: caller.id };
    const row = { ...view, nameKey: '', createdAt: now, updatedAt: now };
    return this.database.transaction(async (tx) => {
      if (scope === 'shared') await this.requireEditor(tx, caller, report);
      if ((await countOwnViews(tx, caller.id, report.id)) >= MAX_VIEWS)
        throw new TooManySavedViews(MAX_VIEWS);
      await tx.insert(SavedView, row);
      if (scope === 'shared') await this.record(tx, caller, 'saved_view_shared', row);
      return row;
    });
  }

  /** Throws SavedViewNotFound, SharedViewNeedsManager or SharingNeedsEditor. */
  async update(
    caller: Principal,
    reportId: string,
    id: string,
    changes: UpdateSavedViewDto,
  ): Promise<SavedView> {
    const report = await this.reports.get(caller, reportId);
    return this.database.transaction(async (tx) => {
      const view = await this.lock(tx, caller, { reportId: report.id, id }, (found) =>
        this.requireChange(tx, caller, report, { view: found, scope: changes.scope ?? found.scope }),
      );
      const diff = differences(view, changes);
      if (Object.keys(diff).length === 0) return view;
      const changed = { ...view, ...changes, updatedAt: this.clock.now() };
      const { name, scope, state, page, updatedAt } = changed;
      await tx.update(SavedView, { id: view.id }, { name, scope, state, page, updatedAt });
      const isShared = scope === 'shared' && view.scope === 'private';
      if (isShared) await this.record(tx, caller, 'saved_view_shared', changed);
      else if (view.scope === 'shared') {
        // The state is large, and may contain values of the data.
        const { state: newState, ...rest } = diff;
        const details = { diff: rest, ...(newState !== undefined && { state_changed: true }) };
        await this.record(tx, caller, 'saved_view_changed', changed, details);
      }
      return changed;
    });
  }

  /** Throws SavedViewNotFound or SharedViewNeedsManager. */
  async remove(caller: Principal, reportId: string, id: string): Promise<void> {
    const report = await this.reports.get(caller, reportId);
    await this.database.transaction(async (tx) => {
      const view = await this.lock(tx, caller, { reportId: report.id, id }, (found) =>
        this.requireDeletion(tx, caller, report, found),
      );
      await tx.delete(SavedView, { id: view.id });
      if (view.scope === 'shared') await this.record(tx, caller, 'saved_view_deleted', view);
    });
  }

  private async find(
    manager: EntityManager,
    { id: userId }: Principal,
    about: { reportId: string; id: string; locks?: boolean },
  ): Promise<SavedView> {
    const view = await findVisibleView(manager, { userId, ...about });
    if (view === null) throw new SavedViewNotFound();
    return view;
  }

  /** Checks before the lock, so that only those who may change the view take it, and again under it. */
  private async lock(
    tx: EntityManager,
    caller: Principal,
    about: { reportId: string; id: string },
    check: (view: SavedView) => Promise<void>,
  ): Promise<SavedView> {
    await check(await this.find(tx, caller, about));
    const view = await this.find(tx, caller, { ...about, locks: true });
    await check(view);
    return view;
  }

  /** Throws SharingNeedsEditor. */
  private async requireEditor(tx: EntityManager, caller: Principal, report: Located): Promise<void> {
    const target = { workspaceId: report.workspaceId, reportId: report.id };
    if (!(await this.policy.canEdit(caller, target, tx))) throw new SharingNeedsEditor();
  }

  /**
   * An owner without the role editor can still withdraw or delete a shared view, but not change what others see. Throws
   * SharedViewNeedsManager, WithdrawalNeedsOwner or SharingNeedsEditor.
   */
  private async requireChange(
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
  private async requireDeletion(
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

  /** Shared views only: a private view concerns its owner alone. */
  private record(
    tx: EntityManager,
    { id: actorId }: Principal,
    action: SharedViewAction,
    { id, name, reportId }: SavedView,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    const target = { type: 'report' as const, id: reportId };
    return this.audit.record(tx, { action, actorId, target, details: { view_id: id, name, ...details } });
  }
}
