import { Column, Entity, PrimaryColumn } from 'typeorm';

export type SessionMethod = 'password' | 'oidc' | 'invitation' | 'exchange' | 'client';

/** Methods of sessions that the identity provider authenticated. */
export const idpMethods = ['oidc', 'exchange'] as const satisfies SessionMethod[];

@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id' }) userId!: string;
  @Column('text') method!: SessionMethod;

  /** Derives the refresh token together with a server key; never sent to a client. */
  @Column('bytea', { select: false }) salt!: Buffer;

  /** Number of refresh token rotations; identifies the valid token. */
  @Column('integer') counter!: number;

  @Column('text') ip!: string;
  @Column('text', { name: 'user_agent' }) userAgent!: string;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'rotated_at' }) rotatedAt!: Date;
  @Column('timestamptz', { name: 'last_used_at' }) lastUsedAt!: Date;

  /** Absolute expiry, which use does not extend. */
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true }) endedAt!: Date | null;
  @Column('text', { name: 'end_reason', nullable: true }) endReason!: string | null;
}

/** One-time code that the portal exchanges for a session after a sign-in at the provider. */
@Entity('login_codes')
export class LoginCode {
  /** SHA-256 of the code. */
  @PrimaryColumn('bytea') hash!: Buffer;

  @Column('uuid', { name: 'user_id' }) userId!: string;

  /** PKCE challenge: only the portal that started the sign-in has the verifier. */
  @Column('text', { name: 'code_challenge' }) codeChallenge!: string;

  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;

  /** Session opened with the code; a second use of the code ends it. */
  @Column('uuid', { name: 'session_id', nullable: true }) sessionId!: string | null;
}
