import { Column, Entity, PrimaryColumn } from 'typeorm';

export const deliveryKinds = ['event', 'redelivery', 'ping'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** Why an attempt failed. Never contains what the receiver returned. */
export const deliveryErrors = [
  'status',
  'redirect',
  'timeout',
  'connection',
  'tls',
  'not_http',
  'name_not_resolved',
  'address_not_public',
  'url_not_allowed',
  'secret_not_readable',
] as const;
export type DeliveryError = (typeof deliveryErrors)[number];

/** One attempt to deliver an event to an endpoint. */
@Entity('webhook_deliveries')
export class WebhookDelivery {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'webhook_id' })
  webhookId!: string;

  @Column('uuid', { name: 'event_id' })
  eventId!: string;

  /** Of the event; null for a ping. PostgreSQL's bigint is read as text. */
  @Column('bigint', { nullable: true })
  seq!: string | null;

  @Column('text', { name: 'event_type' })
  eventType!: string;

  @Column('text')
  kind!: DeliveryKind;

  /** Number of the attempt, from 1. */
  @Column('integer')
  attempt!: number;

  @Column('text', { nullable: true })
  error!: DeliveryError | null;

  @Column('integer', { name: 'status_code', nullable: true })
  statusCode!: number | null;

  @Column('integer', { name: 'duration_ms' })
  durationMs!: number;

  @Column('timestamptz')
  at!: Date;

  @Column('timestamptz', { name: 'next_attempt_at', nullable: true })
  nextAttemptAt!: Date | null;
}
