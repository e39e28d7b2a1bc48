import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A group that the user joins when the invitation is accepted. */
@Entity('invitation_groups')
export class PendingGroup {
  @PrimaryColumn('uuid', { name: 'invitation_id' })
  invitationId!: string;

  @PrimaryColumn('uuid', { name: 'group_id' })
  group!: string;

  /** The admin who added the group. */
  @Column('uuid', { name: 'granted_by' })
  grantedBy!: string;
}
