import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { NIL } from 'uuid';
import { Clock } from '../core/clock.js';
import type { Principal } from '../core/http/principal.js';
import type { User } from '../users/user.entity.js';
import { UserNotFound } from '../users/users.errors.js';
import { UsersService } from '../users/users.service.js';
import { findGroupChains } from '../access/groups/group-chains.queries.js';
import type { NamedGroup } from '../access/groups/groups.queries.js';
import type { Grant } from '../access/grants/grant.entity.js';
import { findGrantsHeldBy } from '../access/grants/stored-grants.queries.js';
import { rolesAllowing } from '../access/grants/grant.js';
import { AccessPolicyService, effectiveGrant } from '../access/grants/access-policy.service.js';
import {
  type AccessPathDto,
  type ExplainedGrantDto,
  ExplainQuery,
  type ExplanationDto,
} from './dto/explain.dto.js';
import { Report } from './report.entity.js';
import { ReportNotFound } from './reports.errors.js';

/** The shown paths are bounded; which grants a user holds does not depend on them. */
const MAX_PATHS = 1000;

/** One way in which a user holds a grant. */
interface GrantPath {
  grant: Grant;
  /** From the group that holds the grant to the one that contains the user directly; empty for the user's own grant. */
  via: NamedGroup[];
}

const refused = { allowed: false, access: null } as const;

@Injectable()
export class AccessService {
  constructor(
    @InjectRepository(Report) private readonly reports: Repository<Report>,
    private readonly policy: AccessPolicyService,
    private readonly users: UsersService,
    private readonly clock: Clock,
  ) {}

  /**
   * Throws ReportNotFound if the caller may not manage the workspace, UserNotFound for an unknown user. For a manager,
   * a user without any grant in the workspace is treated as unknown, except for active admins, who are viewers of
   * every report.
   */
  async explain(caller: Principal, { user_id, report_id }: ExplainQuery): Promise<ExplanationDto> {
    const report = await this.reports.findOneBy({ id: report_id });
    // Also of an unknown report, so that the time does not tell it from a foreign one.
    const may = await this.policy.canManage(caller, [report?.workspaceId ?? NIL]);
    if (report === null || !may) throw new ReportNotFound();
    const user = await this.users.find(user_id);
    const target = { workspaceId: report.workspaceId, reportId: report.id };
    const grants = await findGrantsHeldBy(this.reports.manager, user_id, target);
    if (user === null) throw new UserNotFound();
    const isViewer = grants.length > 0 || (user.role === 'admin' && user.status === 'active');
    if (caller.role !== 'admin' && !isViewer) throw new UserNotFound();
    return this.decide(user, report, grants);
  }

  private async decide(user: User, report: Report, grants: readonly Grant[]): Promise<ExplanationDto> {
    const { role, status } = user;
    const now = this.clock.now();
    const held = effectiveGrant(grants, now);
    const deciding = held ?? grants.at(-1);
    // The deciding grant first, so that it is among the bounded paths.
    const ordered = grants.toSorted((a, b) => Number(b === held) - Number(a === held));
    const paths = await findGrantPaths(this.reports.manager, user.id, ordered);
    const facts = {
      role,
      grant: deciding === undefined ? null : describe(deciding),
      paths: describePaths(paths, held, now),
    };
    if (report.retiredAt !== null) return { ...refused, reason: 'report_retired', ...facts };
    if (status === 'disabled') return { ...refused, reason: 'user_disabled', ...facts };
    if (role === 'admin') return { allowed: true, access: 'edit', reason: 'admin', ...facts };
    if (held !== undefined) {
      const access = rolesAllowing.edit.includes(held.role) ? 'edit' : 'view';
      return { allowed: true, access, reason: 'grant', ...facts };
    }
    return { ...refused, reason: deciding === undefined ? 'no_grant' : 'grant_expired', ...facts };
  }
}

const describe = ({ workspaceId, reportId, role, source, expiresAt }: Grant): ExplainedGrantDto => ({
  workspace_id: workspaceId,
  report_id: reportId,
  role,
  source,
  expires_at: expiresAt,
});

/** Of several paths to the deciding grant, the shortest decides: it is the first. */
const describePaths = (paths: readonly GrantPath[], held: Grant | undefined, now: Date): AccessPathDto[] =>
  paths.map(({ grant, via }, index) => ({
    ...describe(grant),
    groups: via,
    expired: grant.expiresAt !== null && grant.expiresAt <= now,
    decides: index === 0 && grant === held,
  }));

/** Returns the paths on which the user holds these grants, in their order and the shortest first. */
async function findGrantPaths(
  manager: EntityManager,
  userId: string,
  grants: readonly Grant[],
): Promise<GrantPath[]> {
  const shown = grants.slice(0, MAX_PATHS);
  const groups = shown.flatMap(({ group }) => group ?? []);
  const chains = await findGroupChains(manager, userId, [...new Set(groups)]);
  const paths = shown.flatMap((grant) => {
    const ways = grant.group === null ? [[]] : (chains.get(grant.group) ?? []);
    return ways.map((via) => ({ grant, via }));
  });
  return paths.slice(0, MAX_PATHS);
}
