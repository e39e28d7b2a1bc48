import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who a person is at the provider. An account is found by this and nothing else, never by e-mail. */
@Entity('user_identities')
export class UserIdentity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  iss!: string;

  /** Null until the first sign-in of somebody whom an admin linked by Entra's ids. */
  @Column('text', { nullable: true })
  sub!: string | null;

  /** Entra's ids of tenant and person; unlike `sub` they are the same for every application. */
  @Column('text', { nullable: true })
  tid!: string | null;

  @Column('text', { nullable: true })
  oid!: string | null;

  /** What the provider called the person last; for admins to read, nothing is decided by it. */
  @Column('text', { nullable: true })
  email!: string | null;

  /** The provider's, sealed: with it the rules are evaluated again while the person is away. */
  @Column('bytea', { name: 'refresh_token', nullable: true, select: false })
  refreshToken!: Buffer | null;

  /** Set when a rule made an admin of a member: only that is ever taken back. */
  @Column('text', { name: 'provided_role', nullable: true })
  providedRole!: 'admin' | null;

  /** The attributes that rules wrote, as they wrote them. */
  @Column('jsonb', { name: 'provided_attributes' })
  providedAttributes!: Record<string, string>;

  /** When the rules last had an answer from the provider to go by. */
  @Column('timestamptz', { name: 'evaluated_at', nullable: true })
  evaluatedAt!: Date | null;

  /** When somebody began to ask the provider again: two at once would use its refresh token twice. */
  @Column('timestamptz', { name: 'checking_at', nullable: true })
  checkingAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_sign_in_at', nullable: true })
  lastSignInAt!: Date | null;
}
