import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A signing secret. Two are live while an admin rolls it. */
@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  @Column('bytea', { select: false })
  sealed!: Buffer;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Null for the current secret. */
  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;
}
