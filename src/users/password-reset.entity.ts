import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('password_resets')
export class PasswordReset {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** Id of the request, so that a job that runs twice creates one link. */
  @Column('uuid', { name: 'request_id' })
  requestId!: string;

  @Column('bytea', { name: 'secret_salt', select: false })
  secretSalt!: Buffer;

  @Column('bytea', { name: 'secret_hash', select: false })
  secretHash!: Buffer;

  @Column('timestamptz', { name: 'requested_at' })
  requestedAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;
}
