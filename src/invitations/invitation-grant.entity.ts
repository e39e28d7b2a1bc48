import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { WorkspaceRole } from '../access/grants/roles.js';

/** A pending grant: acceptance of the invitation turns it into a membership. */
@Entity('invitation_grants')
export class PendingGrant {
  @PrimaryColumn('uuid', { name: 'invitation_id' })
  invitationId!: string;

  @PrimaryColumn('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  /** The grantor. The grant cannot exceed the grantor's rights, neither when it is created nor at acceptance. */
  @Column('uuid', { name: 'granted_by' })
  grantedBy!: string;

  @Column('text')
  role!: WorkspaceRole;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
