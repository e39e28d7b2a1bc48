import { Injectable } from '@nestjs/common';
import { Clock } from '../core/clock.js';
import { Config } from '../core/config/config.js';
import { DatabaseService } from '../core/database/database.service.js';
import { execute } from '../core/database/execute.js';
import type { Principal } from '../core/http/principal.js';
import type { Report } from '../reports/report.entity.js';
import { ReportsService } from '../reports/reports.service.js';
import { GroupNotFound } from '../groups/groups.errors.js';
import { UserNotFound } from '../users/users.errors.js';
import { AccessPolicyService } from '../workspaces/access-policy.service.js';
import { managedBy } from '../grants/grants.queries.js';
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
    private readonly clock: Clock,
  ) {}

  /** Throws UsageManagerRequired for someone who manages no workspace. */
  async workspacesOf(caller: Principal): Promise<Workspaces> {
    if (caller.role === 'admin') return undefined;
    const { rows } = await execute<{ id: string }>(
      this.database.manager,
      `SELECT workspace_id AS id FROM (${managedBy('$1', '$2')}) AS managed`,
      [caller.id, this.clock.now()],
    );
    if (rows.length === 0) throw new UsageManagerRequired();
    return rows.map(({ id }) => id);
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

  /** Throws ReportNotFound, or UsageHidden if viewers do not see figures. */
  async requireReport(caller: Principal, id: string): Promise<{ report: Report; showsPeople: boolean }> {
    const report = await this.reports.get(caller, id);
    const isManager = await this.policy.hasRoleInAll(caller, 'manager', [report.workspaceId]);
    if (!isManager && !this.config.usage.visibleToViewers) throw new UsageHidden();
    const isNamed = this.config.usage.people === 'named';
    return { report, showsPeople: isManager && isNamed && this.showsPeople(caller) };
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
