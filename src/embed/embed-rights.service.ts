import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Clock } from '../core/clock.js';
import { DatabaseService } from '../core/database/database.service.js';
import { ReportNotFound } from '../reports/reports.errors.js';
import { rolesAllowing } from '../access/grants/grant.js';
import type { EmbedAccess } from './dto/embed-token.dto.js';
import type { EffectiveIdentity } from '../power-bi/power-bi.types.js';
import { effectiveIdentity } from './effective-identity.js';
import { AccountDisabled, EditNeedsEditor, EmbedAccessRevoked } from './embed.errors.js';
import { type EmbedRightsRow, lockEmbedRight, readEmbedRights, type Right } from './embed.queries.js';

/** The rights behind an embed token. They are read from the database for every token, and are never cached. */
@Injectable()
export class EmbedRightsService {
  constructor(
    private readonly database: DatabaseService,
    private readonly clock: Clock,
  ) {}

  /** Within a transaction, the rights are valid until the transaction ends (`lockEmbedRight`). Throws ReportNotFound. */
  async read(
    userId: string,
    reportId: string,
    access: EmbedAccess,
    tx?: EntityManager,
  ): Promise<EmbedRightsRow> {
    const query = { userId, reportId, roles: rolesAllowing[access], now: this.clock.now() };
    if (tx !== undefined) await lockEmbedRight(tx, query);
    const row = await readEmbedRights(tx ?? this.database.manager, query);
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
  suffices,
  ends_at: endsAt,
  is_revoked: isRevoked,
}: Right): Date | null {
  if (status !== 'active') throw new AccountDisabled();
  if (!suffices) throw new EditNeedsEditor();
  if (isRevoked) throw new EmbedAccessRevoked();
  return endsAt;
}

/**
 * The viewer's effective identity. Null also for a report without a dataset, or whose dataset is not in the catalogue. Throws as
 * `effectiveIdentity` does.
 */
export function identityOf(row: EmbedRightsRow): EffectiveIdentity | null {
  if (row.dataset_id === null || row.pbi_dataset_id === null) return null;
  const dataset = {
    pbiDatasetId: row.pbi_dataset_id,
    identityRequired: row.identity_required,
    identityRolesRequired: row.identity_roles_required,
    identityPolicy: row.identity_policy,
  };
  const viewer = { id: row.user_id, kind: row.kind, email: row.email, attributes: row.attributes };
  const report = { reportType: row.report_type, pbiReportId: row.pbi_report_id };
  return effectiveIdentity(dataset, viewer, report);
}
