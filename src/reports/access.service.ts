import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import type { User } from '../users/user.entity.js';
import { UserNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import type { Membership } from '../workspaces/membership.entity.js';
import { isAtLeast, MembershipsService, effectiveGrant } from '../workspaces/memberships.service.js';
import { ExplainQuery, ExplanationDto } from './dto/explain.dto.js';
import { Report } from './report.entity.js';
import { ReportNotFound } from './reports.errors.js';

const refused = { allowed: false, access: null } as const;

@Injectable()
export class AccessService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly memberships: MembershipsService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws ReportNotFound if the caller may not manage the workspace, UserNotFound for an unknown user. For a manager,
   * a user without any grant in the workspace is treated as unknown.
   */
  async explain(caller: Principal, { user_id, report_id }: ExplainQuery): Promise<ExplanationDto> {
    const report = await this.reports.findOneBy({ id: report_id });
    if (report === null) throw new ReportNotFound();
    const may = await this.memberships.hasRoleInAll(caller, 'manager', [report.workspaceId]);
    if (!may) throw new ReportNotFound();
    const user = await this.users.find(user_id);
    const grants = await this.memberships.historyIn(report.workspaceId, user_id);
    if (user === null || (caller.role !== 'admin' && grants.length === 0)) throw new UserNotFound();
    return this.decide(user, report, grants);
  }

  private decide(user: User, report: Report, grants: readonly Membership[]): ExplanationDto {
    const now = this.clock.now();
    const held = effectiveGrant(grants, now);
    const grant = grantOf(held ?? grants.at(-1));
    const { role } = user;
    if (report.retiredAt !== null) return { ...refused, reason: 'report_retired', role, grant };
    if (user.status === 'disabled') return { ...refused, reason: 'user_disabled', role, grant };
    if (role === 'admin') return { allowed: true, access: 'edit', reason: 'admin', role, grant };
    if (held !== undefined) {
      const access = isAtLeast(held.role, 'editor') ? 'edit' : 'view';
      return { allowed: true, access, reason: 'grant', role, grant };
    }
    return { ...refused, reason: grant === null ? 'no_grant' : 'grant_expired', role, grant };
  }
}

const grantOf = (grant: Membership | undefined): ExplanationDto['grant'] =>
  grant === undefined
    ? null
    : {
        workspace_id: grant.workspaceId,
        role: grant.role,
        source: grant.source,
        expires_at: grant.expiresAt,
      };
