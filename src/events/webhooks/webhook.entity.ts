import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../outbox/event-types.js';

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** `admin`: on request; `gone`: the receiver returned 410; `failing`: it failed for 5 days. */
export type DisabledReason = 'admin' | 'gone' | 'failing';

/** An endpoint that receives events, and its place in their order. */
@Entity('webhooks')
export class Webhook {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') url!: string;

  /** Empty: all types. */
  @Column('text', { array: true }) types!: EventType[];

  @Column('text') status!: WebhookStatus;
  @Column('text', { name: 'disabled_reason', nullable: true }) disabledReason!: DisabledReason | null;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;

  /** Seq of the last event that was delivered or does not match the types. PostgreSQL's bigint is read as text. */
  @Column('bigint') position!: string;

  /** Consecutive failed attempts. */
  @Column('integer') failures!: number;

  @Column('timestamptz', { name: 'failing_since', nullable: true }) failingSince!: Date | null;
  @Column('timestamptz', { name: 'next_attempt_at' }) nextAttemptAt!: Date;

  /** The worker that delivers. `leased_until` is in the database's time, which all replicas share. */
  @Column('uuid', { name: 'leased_by', nullable: true }) leasedBy!: string | null;

  @Column('timestamptz', { name: 'leased_until', nullable: true }) leasedUntil!: Date | null;
}

/** A signing secret. Two are live while an admin rolls it. */
@Entity('webhook_secrets')
export class WebhookSecret {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'webhook_id' }) webhookId!: string;
  @Column('bytea', { select: false }) sealed!: Buffer;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;

  /** Null for the current secret. */
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
}

/** Events that an admin wants to be sent again: one, or those of a period. Deleted when they are sent. */
@Entity('webhook_redeliveries')
export class WebhookRedelivery {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'webhook_id' }) webhookId!: string;

  /** Null for a period. */
  @Column('uuid', { name: 'event_id', nullable: true }) eventId!: string | null;

  @Column('timestamptz', { name: 'from_at', nullable: true }) fromAt!: Date | null;
  @Column('timestamptz', { name: 'to_at', nullable: true }) toAt!: Date | null;

  /** Seq of the last event that was sent. PostgreSQL's bigint is read as text. */
  @Column('bigint') position!: string;

  /** Seq of the last event to send. */
  @Column('bigint') through!: string;

  /** Consecutive failed attempts. */
  @Column('integer') failures!: number;

  @Column('timestamptz', { name: 'next_attempt_at' }) nextAttemptAt!: Date;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

export type DeliveryKind = 'event' | 'redelivery' | 'ping';

/** Why an attempt failed. Never contains what the receiver returned. */
export type DeliveryError =
  | 'status'
  | 'redirect'
  | 'timeout'
  | 'connection'
  | 'tls'
  | 'not_http'
  | 'name_not_resolved'
  | 'address_not_public'
  | 'url_not_allowed'
  | 'secret_not_readable';

/** One attempt to deliver an event to an endpoint. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'webhook_id' }) webhookId!: string;
  @Column('uuid', { name: 'event_id' }) eventId!: string;

  /** Of the event; null for a ping. PostgreSQL's bigint is read as text. */
  @Column('bigint', { nullable: true }) seq!: string | null;

  @Column('text', { name: 'event_type' }) eventType!: string;
  @Column('text') kind!: DeliveryKind;

  /** Number of the attempt, from 1. */
  @Column('integer') attempt!: number;

  @Column('text', { nullable: true }) error!: DeliveryError | null;
  @Column('integer', { name: 'status_code', nullable: true }) statusCode!: number | null;
  @Column('integer', { name: 'duration_ms' }) durationMs!: number;
  @Column('timestamptz') at!: Date;
  @Column('timestamptz', { name: 'next_attempt_at', nullable: true }) nextAttemptAt!: Date | null;
}
