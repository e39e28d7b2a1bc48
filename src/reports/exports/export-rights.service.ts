import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { AccountDisabled, EmbedAccessRevoked, IdentityRequired } from '../../embed/embed.errors.js';
import type { EmbedRightsRow } from '../../embed/embed.queries.js';
import { EmbedRightsService, identityOf } from '../../embed/embed-rights.service.js';
import type { Principal } from '../../core/http/principal.js';
import type { ReplayCheck } from '../../platform/idempotency/idempotency.interceptor.js';
import type { EffectiveIdentity } from '../../power-bi/power-bi.types.js';
import { ExportIdentityChanged, ExportNotAllowed } from './exports.errors.js';
import type { ReportExport } from './report-export.entity.js';

/** The right to export a report. Like those behind an embed token, it is read from the database each time. */
@Injectable()
export class ExportRightsService implements ReplayCheck {
  constructor(private readonly rights: EmbedRightsService) {}

  async isStillAllowed(caller: Principal, _body: object, { id = '' }: { id?: string }): Promise<void> {
    await this.require(caller.id, id);
  }

  /** Throws ReportNotFound. Within a transaction, locks the report until the transaction ends. */
  read(userId: string, reportId: string, tx?: EntityManager): Promise<EmbedRightsRow> {
    return this.rights.read(userId, reportId, 'edit', tx);
  }

  /** Throws ReportNotFound, AccountDisabled, ExportNotAllowed or EmbedAccessRevoked. */
  async require(userId: string, reportId: string, tx?: EntityManager): Promise<EmbedRightsRow> {
    const row = await this.read(userId, reportId, tx);
    if (row.status !== 'active') throw new AccountDisabled();
    if (!hasExportRight(row)) throw new ExportNotAllowed();
    if (row.is_revoked) throw new EmbedAccessRevoked();
    return row;
  }
}

const hasExportRight = (row: EmbedRightsRow): boolean => row.suffices || row.viewers_can_export;

export type ExportRefusal = 'blocked' | 'viewers_not_allowed';

/** Null: may be exported. */
export function refusalOf(row: EmbedRightsRow): ExportRefusal | null {
  if (row.status !== 'active' || row.is_revoked) return 'blocked';
  return hasExportRight(row) ? null : 'viewers_not_allowed';
}

/**
 * The identity of the person for whom the report is exported; null only where no row-level security applies. Stricter
 * than an embed token: a dataset of which this is unknown is not exported. Throws IdentityRequired.
 */
export function exportIdentity(row: EmbedRightsRow): EffectiveIdentity | null {
  const identity = identityOf(row);
  if (identity !== null || row.identity_required === false) return identity;
  // A paginated report without a dataset of Power BI has its own data source.
  if (row.report_type === 'PaginatedReport' && row.pbi_dataset_id === null) return null;
  throw new IdentityRequired(
    'It is unknown whether the dataset of this report has row-level security. An administrator can set an identity policy.',
  );
}

/** Throws IdentityRequired. */
export const identityHash = (row: EmbedRightsRow): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(exportIdentity(row)))
    .digest();

/** Throws ExportIdentityChanged unless the person has the identity under which the export started. */
export function requireSameIdentity({ identityHash: started }: ReportExport, right: EmbedRightsRow): void {
  let current: Buffer;
  try {
    current = identityHash(right);
  } catch (error) {
    if (error instanceof IdentityRequired) throw new ExportIdentityChanged();
    throw error;
  }
  if (started?.equals(current) !== true) throw new ExportIdentityChanged();
}
