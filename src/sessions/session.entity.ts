import { Column, Entity, PrimaryColumn } from 'typeorm';

export type SessionMethod = 'password' | 'oidc' | 'invitation' | 'exchange' | 'client';

/** Sessions that rest on the word of the identity provider. */
export const idpMethods = ['oidc', 'exchange'] as const satisfies SessionMethod[];

@Entity('sessions')
export class Session {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  method!: SessionMethod;

  /** With it and a server key the refresh token can be made again; it is never sent. */
  @Column('bytea', { select: false })
  salt!: Buffer;

  /** How often the refresh token was rotated: names the one that is valid now. */
  @Column('integer')
  counter!: number;

  @Column('text')
  ip!: string;

  @Column('text', { name: 'user_agent' })
  userAgent!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'rotated_at' })
  rotatedAt!: Date;

  @Column('timestamptz', { name: 'last_used_at' })
  lastUsedAt!: Date;

  /** The absolute end, which no use moves. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  @Column('text', { name: 'end_reason', nullable: true })
  endReason!: string | null;
}
