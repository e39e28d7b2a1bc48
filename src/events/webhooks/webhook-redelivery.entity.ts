import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Events that an admin wants to be sent again: one, or those of a period. Deleted when they are sent. */
@Entity('webhook_redeliveries')
export class WebhookRedelivery {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  /** Null for a period. */
  @Column('uuid', { name: 'event_id', nullable: true })
  eventId!: string | null;

  @Column('timestamptz', { name: 'from_at', nullable: true })
  fromAt!: Date | null;

  @Column('timestamptz', { name: 'to_at', nullable: true })
  toAt!: Date | null;

  /** Seq of the last event that was sent. PostgreSQL's bigint is read as text. */
  @Column('bigint')
  position!: string;

  /** Seq of the last event to send. */
  @Column('bigint')
  through!: string;

  /** Consecutive failed attempts. */
  @Column('integer')
  failures!: number;

  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt!: Date;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
