import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user's identity at the provider. Sign-ins match accounts by this only, never by email. */
@Entity('user_identities')
export class UserIdentity {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id' }) userId!: string;
  @Column('text') iss!: string;

  /** Null until the first sign-in of a user whom an admin linked by Entra IDs. */
  @Column('text', { nullable: true }) sub!: string | null;

  /** Entra's tenant and object IDs; unlike `sub` they are the same for every application. */
  @Column('text', { nullable: true }) tid!: string | null;

  @Column('text', { nullable: true }) oid!: string | null;

  /** Email address in the provider's latest claims, shown to admins only; no decision depends on it. */
  @Column('text', { nullable: true }) email!: string | null;

  /** The provider's refresh token, sealed: allows re-evaluating the rules without the user. */
  @Column('bytea', { name: 'refresh_token', nullable: true, select: false }) refreshToken!: Buffer | null;

  /** Set when a rule promoted a member to admin: only a role provided by a rule is ever revoked. */
  @Column('text', { name: 'provided_role', nullable: true }) providedRole!: 'admin' | null;

  /** Attribute values exactly as the rules wrote them. */
  @Column('jsonb', { name: 'provided_attributes' }) providedAttributes!: Record<string, string>;

  /** Last evaluation of the rules with claims from the provider. */
  @Column('timestamptz', { name: 'evaluated_at', nullable: true }) evaluatedAt!: Date | null;

  /**
   * Start of the running claims refresh, because concurrent ones would use the provider's refresh token twice. Stays set if it did not
   * complete or claims are missing: another refresh is due then.
   */
  @Column('timestamptz', { name: 'checking_at', nullable: true }) checkingAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'last_sign_in_at', nullable: true }) lastSignInAt!: Date | null;
}
