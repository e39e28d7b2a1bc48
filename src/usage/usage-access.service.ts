import { Injectable } from '@nestjs/common';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import type { Principal } from '../core/http/principal.js';
import type { Report } from '../reports/report.entity.js';
import { ReportNotFound } from '../reports/reports.errors.js';
import { ReportsService } from '../reports/reports.service.js';
import { GroupNotFound } from '../access/groups/groups.errors.js';
import { UserNotFound } from '../users/users.errors.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import { WorkspaceNotFound } from '../workspaces/workspaces.errors.js';
import { UsageHidden, UsageManagerRequired, UsagePeopleHidden } from './usage.errors.js';

/** The workspaces whose figures the caller sees; undefined for all of them. */
export type Workspaces = readonly string[] | undefined;

/** Decides who sees which usage figures. */
@Injectable()
export class UsageAccessService {
  constructor(
    private readonly config: Config,
    private readonly database: DatabaseService,
    private readonly reports: ReportsService,
    private readonly policy: AccessPolicyService,
  ) {}

  /** Throws UsageManagerRequired for someone who manages no workspace. */
  async workspacesOf(caller: Principal): Promise<Workspaces> {
    const managed = await this.policy.managedWorkspaces(caller);
    if (managed?.length === 0) throw new UsageManagerRequired();
    return managed;
  }

  /** Restricts a list to one workspace. A workspace that the caller does not manage is as empty as an unknown one. */
  async workspacesIn(caller: Principal, workspaceId: string | undefined): Promise<Workspaces> {
    const managed = await this.workspacesOf(caller);
    if (workspaceId === undefined) return managed;
    return [workspaceId].filter((id) => managed === undefined || managed.includes(id));
  }

  /** Throws UsageManagerRequired, and WorkspaceNotFound also for a workspace that the caller does not manage. */
  async requireWorkspace(caller: Principal, workspaceId: string): Promise<void> {
    const managed = await this.workspacesOf(caller);
    if (managed?.includes(workspaceId) === false) throw new WorkspaceNotFound();
  }

  /**
   * Managers also see the figures of retired reports, which are in their lists. Throws ReportNotFound, or UsageHidden if viewers
   * do not see figures.
   */
  async requireReport(caller: Principal, id: string): Promise<{ report: Report; showsPeople: boolean }> {
    const report = await this.findReport(caller, id);
    const isManager = await this.policy.canManage(caller, [report.workspaceId]);
    if (!isManager && !this.config.usage.visibleToViewers) throw new UsageHidden();
    const { identifiesUsers } = this.config.usage;
    return { report, showsPeople: isManager && identifiesUsers && this.showsPeople(caller) };
  }

  /** A report that the caller may see, or a retired one of a workspace that the caller manages. Throws ReportNotFound. */
  private async findReport(caller: Principal, id: string): Promise<Report> {
    try {
      return await this.reports.get(caller, id);
    } catch (error) {
      const retired = error instanceof ReportNotFound ? await this.reports.findRetired(id) : null;
      if (retired === null || !(await this.policy.canManage(caller, [retired.workspaceId]))) throw error;
      return retired;
    }
  }

  /** Throws UsageManagerRequired, and GroupNotFound for a group without access to anything that the caller manages. */
  async requireGroup(caller: Principal, id: string): Promise<Workspaces> {
    const managed = await this.workspacesOf(caller);
    if (managed === undefined) return undefined;
    if (!(await this.policy.isGroupManagedBy(this.database.manager, caller.id, id)))
      throw new GroupNotFound();
    return managed;
  }

  /**
   * Throws UsageManagerRequired, UsagePeopleHidden, and UserNotFound for someone without access to anything that the caller
   * manages.
   */
  async requirePerson(caller: Principal, id: string): Promise<Workspaces> {
    const managed = await this.workspacesOf(caller);
    if (!this.showsPeople(caller)) throw new UsagePeopleHidden();
    if (managed === undefined) return undefined;
    if (!(await this.policy.isManagedBy(this.database.manager, caller.id, id))) throw new UserNotFound();
    return managed;
  }

  private showsPeople({ role }: Principal): boolean {
    return role === 'admin' || this.config.usage.showsPeopleToManagers;
  }
}
