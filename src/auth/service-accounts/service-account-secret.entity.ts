import { Column, Entity, PrimaryColumn } from 'typeorm';
import { recordedOnly } from '../../core/database/personal-data.js';

@Entity('service_account_secrets')
export class ServiceAccountSecret {
  @PrimaryColumn('uuid') id!: string;

  /** Id of the service account. */
  @Column('uuid', { name: 'user_id' }) userId!: string;

  /** SHA-256: a slow hash is unnecessary for 256 random bits. */
  @Column('bytea', { select: false }) hash!: Buffer;

  @Column('uuid', { name: 'created_by' }) createdBy!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'last_used_at', nullable: true }) lastUsedAt!: Date | null;
}

export const personalData = [
  recordedOnly('service_account_secrets', ['created_by'], 'the admin who created a secret'),
];
