import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReportRole, WorkspaceRole } from '../access/grants/grant.js';
import type { PlatformRole } from '../core/http/principal.js';

export const deliveries = ['queued', 'sent', 'failed', 'not_configured'] as const;
export type Delivery = (typeof deliveries)[number];

@Entity('invitations')
export class Invitation {
  @PrimaryColumn('uuid') id!: string;

  /** In the form that `canonicalEmail` returns. */
  @Column('text') email!: string;

  @Column('text', { nullable: true }) name!: string | null;
  @Column('text') role!: PlatformRole;
  @Column('bytea', { name: 'secret_salt', select: false }) secretSalt!: Buffer;
  @Column('bytea', { name: 'secret_hash', select: false }) secretHash!: Buffer;
  @Column('uuid', { name: 'invited_by' }) invitedBy!: string;
  @Column('text') delivery!: Delivery;
  @Column('text', { name: 'delivery_error', nullable: true }) deliveryError!: string | null;
  @Column('timestamptz', { name: 'mailed_at' }) mailedAt!: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'accepted_at', nullable: true }) acceptedAt!: Date | null;
  @Column('timestamptz', { name: 'revoked_at', nullable: true }) revokedAt!: Date | null;

  /**
   * The account that acceptance created. While pending: the existing account whose next sign-in or request accepts the invitation.
   */
  @Column('uuid', { name: 'user_id', nullable: true }) userId!: string | null;

  /** The account whose owner asked for it; the link of the email that was sent for this confirms it. */
  @Column('uuid', { name: 'attach_user_id', nullable: true }) attachUserId!: string | null;
}

/** A pending grant: acceptance of the invitation turns it into a membership. */
@Entity('invitation_grants')
export class PendingGrant {
  @PrimaryColumn('uuid', { name: 'invitation_id' }) invitationId!: string;
  @PrimaryColumn('uuid', { name: 'workspace_id' }) workspaceId!: string;

  /** The grantor. The grant cannot exceed the grantor's rights, neither when it is created nor at acceptance. */
  @Column('uuid', { name: 'granted_by' }) grantedBy!: string;

  @Column('text') role!: WorkspaceRole;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
}

/** A pending grant on one report. */
@Entity('invitation_report_grants')
export class PendingReportGrant {
  @PrimaryColumn('uuid', { name: 'invitation_id' }) invitationId!: string;
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId!: string;

  /** The workspace of the report, whose managers may grant it. */
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;

  @Column('uuid', { name: 'granted_by' }) grantedBy!: string;
  @Column('text') role!: ReportRole;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
}

/** A group that the user joins when the invitation is accepted. */
@Entity('invitation_groups')
export class PendingGroup {
  @PrimaryColumn('uuid', { name: 'invitation_id' }) invitationId!: string;
  @PrimaryColumn('uuid', { name: 'group_id' }) group!: string;

  /** The admin who added the group. */
  @Column('uuid', { name: 'granted_by' }) grantedBy!: string;
}
