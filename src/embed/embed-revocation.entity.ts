import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Active until lifted. If several of user, report and workspace are set, all of them must match. */
@Entity('embed_revocations')
export class EmbedRevocation {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id', nullable: true }) userId!: string | null;
  @Column('uuid', { name: 'report_id', nullable: true }) reportId!: string | null;
  @Column('uuid', { name: 'workspace_id', nullable: true }) workspaceId!: string | null;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('uuid', { name: 'revoked_by' }) revokedBy!: string;
  @Column('timestamptz', { name: 'revoked_at' }) revokedAt!: Date;
  @Column('uuid', { name: 'lifted_by', nullable: true }) liftedBy!: string | null;
  @Column('timestamptz', { name: 'lifted_at', nullable: true }) liftedAt!: Date | null;
}

/** What a revocation is about. */
export type Revoked = Pick<EmbedRevocation, 'userId' | 'reportId' | 'workspaceId' | 'reason'>;
