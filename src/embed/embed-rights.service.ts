import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { ReportNotFound } from '../reports/reports.errors.js';
import { isAtLeast, workspaceRoles } from '../grants/roles.js';
import type { EmbedAccess } from './dto/embed-request.dto.js';
import { AccountDisabled, EditNeedsEditor, EmbedAccessRevoked } from './embed.errors.js';
import { type EmbedRightsRow, readEmbedRights } from './embed.queries.js';

const sufficient = (access: EmbedAccess) =>
  workspaceRoles.filter((role) => isAtLeast(role, access === 'edit' ? 'editor' : 'viewer'));

const roles = { view: sufficient('view'), edit: sufficient('edit') };

/** The rights behind an embed token. They are read from the database for every token, and are never cached. */
@Injectable()
export class EmbedRightsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Within a transaction, locks the report until the transaction ends. Throws ReportNotFound. */
  async read(
    userId: string,
    reportId: string,
    access: EmbedAccess,
    tx?: EntityManager,
  ): Promise<EmbedRightsRow> {
    const row = await readEmbedRights(tx ?? this.database.manager, {
      userId,
      reportId,
      roles: roles[access],
      now: this.clock.now(),
      locksReport: tx !== undefined,
    });
    if (row === undefined) throw new ReportNotFound();
    return row;
  }
}

/**
 * Returns when the right expires, or null if it does not. Throws AccountDisabled, EditNeedsEditor or
 * EmbedAccessRevoked.
 */
export function requireRight({
  status,
  role,
  suffices,
  ends_at: endsAt,
  is_revoked: isRevoked,
}: EmbedRightsRow): Date | null {
  if (status !== 'active') throw new AccountDisabled();
  if (role !== 'admin' && !suffices) throw new EditNeedsEditor();
  if (isRevoked) throw new EmbedAccessRevoked();
  return role === 'admin' ? null : endsAt;
}
