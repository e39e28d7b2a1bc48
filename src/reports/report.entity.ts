import { Column, Entity, PrimaryColumn } from 'typeorm';

/** `live`: the dataset queries its source directly and is never refreshed. */
export const refreshStatuses = ['succeeded', 'failed', 'running', 'live'] as const;
export type RefreshStatus = (typeof refreshStatuses)[number];

export type ReportType = 'PowerBIReport' | 'PaginatedReport';

/** A Power BI report as of the last sync. */
@Entity('reports')
export class Report {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('uuid', { name: 'pbi_report_id' }) pbiReportId!: string;

  /** Null for paginated reports. */
  @Column('text', { name: 'pbi_dataset_id', nullable: true }) pbiDatasetId!: string | null;

  @Column('text') name!: string;
  @Column({ type: 'text', name: 'name_key', insert: false, update: false }) nameKey!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text', { name: 'report_type' }) reportType!: ReportType;
  @Column('text', { name: 'web_url', nullable: true }) webUrl!: string | null;
  @Column('text', { name: 'embed_url' }) embedUrl!: string;

  /** When the dataset was last refreshed; null if unknown. */
  @Column('timestamptz', { name: 'data_as_of', nullable: true }) dataAsOf!: Date | null;

  /** Of the dataset's last refresh. Null if unknown: only datasets of reports that are viewed are followed. */
  @Column('text', { name: 'refresh_status', nullable: true }) refreshStatus!: RefreshStatus | null;

  @Column('timestamptz', { name: 'refresh_failed_since', nullable: true }) refreshFailedSince!: Date | null;
  @Column('timestamptz', { name: 'missing_since', nullable: true }) missingSince!: Date | null;

  /**
   * When it was retired because it no longer exists in Power BI. Hidden from all users; the row is kept to preserve the
   * id.
   */
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt!: Date | null;

  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
