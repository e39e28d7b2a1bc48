import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { TimesService } from '../core/database/times.service.js';
import type { ReplayCheck } from '../platform/idempotency/idempotency.interceptor.js';
import { InvalidRequest, type InvalidValue } from '../core/problems/problem.js';
import type { PlatformRole, Principal } from '../core/http/principal.js';
import { lockGroups } from '../access/groups/groups.queries.js';
import { ReportsService } from '../reports/reports.service.js';
import { findIncludingRemoved } from '../users/users.queries.js';
import type { NewGrant } from '../access/grants/grant.js';
import { AccessPolicyService } from '../access/grants/access-policy.service.js';
import { lockWorkspaces } from '../workspaces/workspaces.queries.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import type { InviteUserDto } from './dto/invite-user.dto.js';
import type { Invitation } from './invitation.entity.js';
import { MayNotInvite } from './invitations.errors.js';
import { type Access, lastingAccessOf } from './pending-access.queries.js';

/** What a request asks for. */
type RequestedAccess = Pick<InviteUserDto, 'workspaces' | 'reports' | 'groups'>;

/** What an invitation still confers. */
interface Remaining extends Access {
  byAdmin: boolean;
}

/**
 * Limits an invitation to the caller's own rights: admins give anything, managers roles in the workspaces that they manage
 * and on their reports.
 */
@Injectable()
export class InvitationRightsService implements ReplayCheck<Partial<InviteUserDto>> {
  constructor(
    private readonly workspaces: WorkspacesService,
    private readonly reports: ReportsService,
    private readonly policy: AccessPolicyService,
    private readonly database: DatabaseService,
    private readonly times: TimesService,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the requested access if the caller may give it. Throws InvalidRequest for a workspace or report that the caller
   * cannot see or an expiry in the past, MayNotInvite for access that exceeds the caller's rights.
   */
  async check(caller: Principal, role: PlatformRole, requested: RequestedAccess): Promise<Access> {
    const workspaceOf = await this.require(caller, role, requested);
    const expiryOf = (expiresAt: string | undefined, pointer: string): Promise<Date | null> =>
      this.times.expiryOf(expiresAt, `/${pointer}/expires_at`);
    const grants: NewGrant[] = [];
    for (const [index, { workspace_id, role: granted, expires_at }] of requested.workspaces.entries()) {
      const expiresAt = await expiryOf(expires_at, `workspaces/${index}`);
      grants.push({ workspaceId: workspace_id, role: granted, expiresAt });
    }
    for (const [index, { report_id, role: granted, expires_at }] of requested.reports.entries()) {
      const expiresAt = await expiryOf(expires_at, `reports/${index}`);
      const workspaceId = workspaceOf.get(report_id) as string;
      grants.push({ workspaceId, reportId: report_id, role: granted, expiresAt });
    }
    return { grants, groups: requested.groups };
  }

  /**
   * Checks the rights only, not the expiry dates and groups, and returns the workspaces of the reports. Throws as `check`
   * does.
   */
  private async require(
    caller: Principal,
    role: PlatformRole,
    { workspaces, reports, groups }: RequestedAccess,
  ): Promise<ReadonlyMap<string, string>> {
    const isEmpty = workspaces.length + reports.length === 0;
    const isForAdmins = role === 'admin' || groups.length > 0;
    if (caller.role !== 'admin' && (isForAdmins || isEmpty)) throw new MayNotInvite();
    const workspaceIds = workspaces.map((grant) => grant.workspace_id.toLowerCase());
    const reportIds = reports.map((grant) => grant.report_id.toLowerCase());
    const { manager } = this.database;
    const visible = await this.workspaces.visibleAmong(caller, workspaceIds, manager);
    const workspaceOf = await this.reports.visibleAmong(caller, reportIds, manager);
    const errors = [
      ...invisible(workspaceIds, visible, 'workspace'),
      ...invisible(reportIds, workspaceOf, 'report'),
    ];
    if (errors.length > 0) throw new InvalidRequest(errors);
    const targets = [...workspaceIds, ...workspaceOf.values()];
    if (!(await this.policy.canManage(caller, targets, manager))) throw new MayNotInvite();
    return workspaceOf;
  }

  /** The raw body: it was validated by the first request, but has no DTO defaults. Throws as `require` does. */
  async isStillAllowed(
    caller: Principal,
    { role = 'member', workspaces = [], reports = [], groups = [] }: Partial<InviteUserDto>,
  ): Promise<void> {
    await this.require(caller, role, { workspaces, reports, groups });
  }

  /**
   * Checks the rights again and locks them, so that they cannot be removed until the transaction ends. Caps each grant
   * of a manager to the expiry of the manager's own grant. Throws MayNotInvite, and InvalidRequest for a group that does not
   * exist or has no manual members.
   */
  async lockGrantor(tx: EntityManager, caller: Principal, { grants, groups }: Access): Promise<Access> {
    if (groups.length > 0) await lockManualGroups(tx, groups);
    if (caller.role !== 'admin') {
      const ids = grants.map(({ workspaceId }) => workspaceId);
      await lockWorkspaces(tx, ids);
    }
    const held = await this.policy.capToGrantor(caller, grants, tx);
    if (held.length < grants.length) throw new MayNotInvite();
    return { grants: held, groups };
  }

  /**
   * What its grantors may still give at acceptance; null if the invitation is no longer valid. A manager's invitation confers
   * nothing on the manager.
   */
  async revalidate(
    tx: EntityManager,
    { id, invitedBy, role }: Invitation,
    userId?: string,
  ): Promise<Remaining | null> {
    const given = await lastingAccessOf(tx, id, this.clock.now());
    const ids = [...given.grants, ...given.groups].map(({ grantedBy }) => grantedBy);
    const grantors = await findIncludingRemoved(tx, [invitedBy, ...ids]);
    const isAdmin = (grantorId: string): boolean => {
      const grantor = grantors.get(grantorId);
      return grantor?.status === 'active' && grantor.role === 'admin';
    };
    const byAdmin = isAdmin(invitedBy);
    const grants: NewGrant[] = [];
    for (const [grantorId, pending] of Map.groupBy(given.grants, ({ grantedBy }) => grantedBy)) {
      const grantor = grantors.get(grantorId);
      if (grantor?.status !== 'active' || (grantorId === userId && grantor.role !== 'admin')) continue;
      const own = pending.map((grant) => {
        const { invitationId: _, ...kept } = grant;
        return kept;
      });
      grants.push(...(await this.policy.capToGrantor(grantor, own, tx)));
    }
    const groups = given.groups.filter(({ grantedBy }) => isAdmin(grantedBy)).map(({ group }) => group);
    // A member invitation needs something that is still valid, or an admin as inviter; an admin invitation needs an admin.
    const isVoid = role === 'admin' || grants.length + groups.length === 0;
    return !byAdmin && isVoid ? null : { grants, groups, byAdmin };
  }
}

const invisible = (
  ids: readonly string[],
  visible: Pick<ReadonlySet<string>, 'has'>,
  kind: 'workspace' | 'report',
): InvalidValue[] =>
  ids.flatMap((id, index) =>
    visible.has(id)
      ? []
      : { pointer: `/${kind}s/${index}/${kind}_id`, detail: `you have no ${kind} with this id` },
  );

/** Excludes the deletion of these groups until the transaction ends. Throws InvalidRequest. */
async function lockManualGroups(tx: EntityManager, ids: readonly string[]): Promise<void> {
  const sources = new Map((await lockGroups(tx, ids)).map(({ id, source }) => [id, source]));
  const errors = ids.flatMap((id, index) => {
    if (sources.get(id) === 'manual') return [];
    const detail = sources.has(id)
      ? 'the members of this group are managed elsewhere'
      : 'no group has this id';
    return { pointer: `/groups/${index}`, detail };
  });
  if (errors.length > 0) throw new InvalidRequest(errors);
}
