import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { GrantSource, WorkspaceRole } from './grant.js';

/** A right of a person or a group on a workspace or on one report of it. A holder has at most one of each source. */
@Entity('grants')
export class Grant {
  @PrimaryColumn('uuid') id!: string;

  /** Null if a group holds the grant. */
  @Column('uuid', { name: 'user_id', nullable: true }) userId!: string | null;

  /** Id of the group; null if a user holds the grant. */
  @Column('uuid', { name: 'group_id', nullable: true }) group!: string | null;

  /** For a report, the workspace that contains it. */
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;

  /** Null for a grant on the whole workspace. */
  @Column('uuid', { name: 'report_id', nullable: true }) reportId!: string | null;

  /** On a report viewer or editor. */
  @Column('text') role!: WorkspaceRole;

  @Column('text') source!: GrantSource;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;

  /** Null for a grant of a rule, and if it is not known. */
  @Column('uuid', { name: 'granted_by', nullable: true }) grantedBy!: string | null;

  /** Whether the right to give it was derived: through a group, or from a rule or SCIM. */
  @Column('boolean', { name: 'by_derived_right' }) isByDerivedRight!: boolean;

  /** Whether the report is retired; a copy that PostgreSQL maintains, like `name_key`. */
  @Column({ type: 'boolean', name: 'is_retired', insert: false, update: false }) isRetired!: boolean;

  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}
