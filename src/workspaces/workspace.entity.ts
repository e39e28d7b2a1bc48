import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A Power BI workspace as the last sync saw it. Its id stays, whatever it is called. */
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'pbi_workspace_id' })
  pbiWorkspaceId!: string;

  @Column('text')
  name!: string;

  /** The name as lists order it; PostgreSQL keeps it. */
  @Column({ type: 'text', name: 'name_key', insert: false, update: false })
  nameKey!: string;

  /** Service principal profile that has a role in it; null: the service principal itself. */
  @Column('uuid', { name: 'pbi_profile_id', nullable: true })
  pbiProfileId!: string | null;

  @Column('integer', { name: 'report_count' })
  reportCount!: number;

  /** When a sync first missed it in Power BI. */
  @Column('timestamptz', { name: 'missing_since', nullable: true })
  missingSince!: Date | null;

  /** Gone from Power BI: shown to nobody, kept for its id. */
  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt!: Date | null;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;
}
