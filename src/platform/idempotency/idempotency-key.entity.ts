import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The stored response of a successful request. A failed request stores nothing. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid', { name: 'user_id' }) userId!: string;

  /** HTTP method and route template. */
  @PrimaryColumn('text') route!: string;

  @PrimaryColumn('text') key!: string;

  /** Detects a different path or body without storing either. */
  @Column('bytea', { name: 'request_mac' }) requestMac!: Buffer;

  @Column('integer') status!: number;
  @Column('text', { nullable: true }) location!: string | null;
  @Column('json') body!: object;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
