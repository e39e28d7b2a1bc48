import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReportRole } from '../access/grants/roles.js';

/** A pending grant on one report. */
@Entity('invitation_report_grants')
export class PendingReportGrant {
  @PrimaryColumn('uuid', { name: 'invitation_id' })
  invitationId!: string;

  @PrimaryColumn('uuid', { name: 'report_id' })
  reportId!: string;

  /** The workspace of the report, whose managers may grant it. */
  @Column('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  @Column('uuid', { name: 'granted_by' })
  grantedBy!: string;

  @Column('text')
  role!: ReportRole;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
