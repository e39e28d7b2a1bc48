import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a sign-in at the provider leaves for the portal to exchange, once. */
@Entity('login_codes')
export class LoginCode {
  /** SHA-256 of the code. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** SHA-256 of a secret that only the portal that began the sign-in has (PKCE). */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  /** What it was exchanged for: a second use ends that session. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;
}
