import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../common/principal.js';
import { settled } from '../common/settled.js';
import type { Report } from '../reports/report.entity.js';
import { ReportsService } from '../reports/reports.service.js';
import { UsersService } from '../users/users.service.js';
import { isAtLeast, MembershipsService } from '../workspaces/memberships.service.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { AccountDisabled, EditNeedsEditor } from './embed.errors.js';
import { EmbedRevocations } from './embed-revocations.service.js';

/** Whether somebody may embed a report now, and until when. */
@Injectable()
export class EmbedRights {
  constructor(
    private readonly reports: ReportsService,
    private readonly memberships: MembershipsService,
    private readonly revocations: EmbedRevocations,
    private readonly users: UsersService,
  ) {}

  /**
   * When the right to this access ends; null: it does not by itself. Throws ReportNotFound, EditNeedsEditor or
   * EmbedAccessRevoked.
   */
  async check(
    caller: Principal,
    report: Report,
    access: EmbedAccess,
    tx?: EntityManager,
  ): Promise<Date | null> {
    const [right, revocation] = await Promise.allSettled([
      this.endOf(caller, report.workspaceId, access, tx),
      this.revocations.check(caller.id, report, tx),
    ]);
    const endsAt = settled(right);
    settled(revocation);
    return endsAt;
  }

  /** The same for whoever the caller is by now. The report cannot go until the transaction ends. */
  async checkAgain(
    caller: Principal,
    report: Report,
    access: EmbedAccess,
    tx: EntityManager,
  ): Promise<Date | null> {
    const rightsOf = async (now: Principal): Promise<Date | null> => {
      const [, endsAt] = await Promise.all([
        this.reports.get(now, report.id, tx),
        this.check(now, report, access, tx),
      ]);
      return endsAt;
    };
    const [standing, rights] = await Promise.allSettled([
      this.users.standing(caller.id, tx),
      rightsOf(caller),
    ]);
    const { status, role } = settled(standing);
    if (status !== 'active') throw new AccountDisabled();
    return role === caller.role ? settled(rights) : rightsOf({ ...caller, role });
  }

  private async endOf(
    caller: Principal,
    workspaceId: string,
    access: EmbedAccess,
    tx?: EntityManager,
  ): Promise<Date | null> {
    if (caller.role === 'admin') return null;
    const needed = access === 'edit' ? 'editor' : 'viewer';
    const current = await this.memberships.currentIn(caller.id, workspaceId, tx);
    const grants = current.filter(({ role }) => isAtLeast(role, needed));
    if (grants.length === 0) throw new EditNeedsEditor();
    const ends = grants.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity);
    const last = Math.max(...ends);
    return last === Infinity ? null : new Date(last);
  }
}
