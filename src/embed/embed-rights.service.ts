import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Principal } from '../common/principal.js';
import type { Report } from '../reports/report.entity.js';
import { ReportsService } from '../reports/reports.service.js';
import { isAtLeast, MembershipsService } from '../workspaces/memberships.service.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { EditNeedsEditor } from './embed.errors.js';
import { EmbedRevocations } from './embed-revocations.service.js';

/** Whether somebody may embed a report now, and until when. */
@Injectable()
export class EmbedRights {
  constructor(
    private readonly reports: ReportsService,
    private readonly memberships: MembershipsService,
    private readonly revocations: EmbedRevocations,
  ) {}

  /**
   * When the right to this access ends; null: it does not by itself. Throws ReportNotFound, EditNeedsEditor or
   * EmbedAccessRevoked. In a transaction the report cannot go until that ends.
   */
  async check(
    caller: Principal,
    report: Report,
    access: EmbedAccess,
    tx?: EntityManager,
  ): Promise<Date | null> {
    if (tx !== undefined) await this.reports.get(caller, report.id, tx);
    const endsAt = await this.endOf(caller, report.workspaceId, access, tx);
    await this.revocations.check(caller.id, report, tx);
    return endsAt;
  }

  private async endOf(
    caller: Principal,
    workspaceId: string,
    access: EmbedAccess,
    tx?: EntityManager,
  ): Promise<Date | null> {
    if (caller.role === 'admin') return null;
    const grants = (await this.memberships.current(caller.id, tx)).filter(
      (grant) =>
        grant.workspaceId === workspaceId && isAtLeast(grant.role, access === 'edit' ? 'editor' : 'viewer'),
    );
    if (grants.length === 0) throw new EditNeedsEditor();
    const ends = grants.map(({ expiresAt }) => expiresAt?.getTime() ?? Infinity);
    const last = Math.max(...ends);
    return last === Infinity ? null : new Date(last);
  }
}
