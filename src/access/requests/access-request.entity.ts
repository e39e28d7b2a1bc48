import { Column, Entity, PrimaryColumn } from 'typeorm';

export type AccessDecision = 'approved' | 'declined';

/** A person's request for access to a workspace or a report. */
@Entity('access_requests')
export class AccessRequest {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'requester_id' }) requesterId!: string;
  @Column('text', { name: 'target_type' }) targetType!: 'workspace' | 'report';

  /** As requested; it may not exist. */
  @Column('uuid', { name: 'target_id' }) targetId!: string;

  /** The workspace whose managers decide; null if the target does not exist. */
  @Column('uuid', { name: 'workspace_id', nullable: true }) workspaceId!: string | null;

  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('text', { nullable: true }) decision!: AccessDecision | null;
  @Column('uuid', { name: 'decided_by', nullable: true }) decidedBy!: string | null;
  @Column('timestamptz', { name: 'decided_at', nullable: true }) decidedAt!: Date | null;
}
