import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One-time code that the portal exchanges for a session after a sign-in at the provider. */
@Entity('login_codes')
export class LoginCode {
  /** SHA-256 of the code. */
  @PrimaryColumn('bytea')
  hash!: Buffer;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  /** PKCE challenge: only the portal that started the sign-in has the verifier. */
  @Column('text', { name: 'code_challenge' })
  codeChallenge!: string;

  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'used_at', nullable: true })
  usedAt!: Date | null;

  /** Session opened with the code; a second use of the code ends it. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;
}
