import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../outbox/event-types.js';

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** `admin`: on request; `gone`: the receiver returned 410; `failing`: it failed for 5 days. */
export type DisabledReason = 'admin' | 'gone' | 'failing';

/** An endpoint that receives events, and its place in their order. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  url!: string;

  /** Empty: all types. */
  @Column('text', { array: true })
  types!: EventType[];

  @Column('text')
  status!: WebhookStatus;

  @Column('text', { name: 'disabled_reason', nullable: true })
  disabledReason!: DisabledReason | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** Seq of the last event that was delivered or does not match the types. PostgreSQL's bigint is read as text. */
  @Column('bigint')
  position!: string;

  /** Consecutive failed attempts. */
  @Column('integer')
  failures!: number;

  @Column('timestamptz', { name: 'failing_since', nullable: true })
  failingSince!: Date | null;

  @Column('timestamptz', { name: 'next_attempt_at' })
  nextAttemptAt!: Date;

  /** The worker that delivers. `leased_until` is in the database's time, which all replicas share. */
  @Column('uuid', { name: 'leased_by', nullable: true })
  leasedBy!: string | null;

  @Column('timestamptz', { name: 'leased_until', nullable: true })
  leasedUntil!: Date | null;
}
