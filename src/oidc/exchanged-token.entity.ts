import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subject token that was exchanged, until it expires. */
@Entity('exchanged_tokens')
export class ExchangedToken {
  /** SHA-256 of what the provider signed: a signature may have several encodings. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('timestamptz', { name: 'exchanged_at' })
  exchangedAt!: Date;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;
}
