import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The answer to a request that was done. One that failed left nothing behind, this neither. */
@Entity('idempotency_keys')
export class IdempotencyKey {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  /** Method and template of the route. */
  @PrimaryColumn('text')
  route!: string;

  @PrimaryColumn('text')
  key!: string;

  /** Tells another path or body apart without keeping either. */
  @Column('bytea', { name: 'request_mac' })
  requestMac!: Buffer;

  @Column('integer')
  status!: number;

  @Column('text', { nullable: true })
  location!: string | null;

  @Column('json')
  body!: object;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
