import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A Power BI workspace as of the last sync. The id does not change when the workspace is renamed. */
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'pbi_workspace_id' }) pbiWorkspaceId!: string;
  @Column('text') name!: string;

  /** Sort key of the name, maintained by PostgreSQL. */
  @Column({ type: 'text', name: 'name_key', insert: false, update: false }) nameKey!: string;

  /** Service principal profile with a role in the workspace; null: the service principal itself. */
  @Column('uuid', { name: 'pbi_profile_id', nullable: true }) pbiProfileId!: string | null;

  /** Whether viewers may export reports to files; editors and managers always may. */
  @Column('boolean', { name: 'viewers_can_export', default: false }) viewersCanExport!: boolean;

  /** Of the person or team that answers questions about the reports, as `https:` or `mailto:`. */
  @Column('text', { name: 'contact_url', nullable: true }) contactUrl!: string | null;

  @Column('integer', { name: 'report_count' }) reportCount!: number;

  /** When a sync first found the workspace missing in Power BI. */
  @Column('timestamptz', { name: 'missing_since', nullable: true }) missingSince!: Date | null;

  /**
   * When it was retired because it no longer exists in Power BI. Hidden from all users; the row is kept to preserve the
   * id.
   */
  @Column('timestamptz', { name: 'retired_at', nullable: true }) retiredAt!: Date | null;

  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
