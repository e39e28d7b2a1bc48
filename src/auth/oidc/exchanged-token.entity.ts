import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A subject token that was exchanged. The row is kept until the token expires, to detect reuse. */
@Entity('exchanged_tokens')
export class ExchangedToken {
  /** SHA-256 of the signed part, because one signature can have several encodings. */
  @PrimaryColumn('bytea') hash!: Buffer;

  @Column('uuid', { name: 'session_id' }) sessionId!: string;
  @Column('timestamptz', { name: 'exchanged_at' }) exchangedAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
