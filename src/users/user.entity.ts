import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PlatformRole, Scope } from '../core/http/principal.js';
import type { Locale } from '../core/locales.js';

export type UserStatus = 'active' | 'disabled';
export type UserKind = 'person' | 'service';

/** Who manages a person: admins and the person, or the identity provider through SCIM. */
export type UserSource = 'manual' | 'scim';

@Entity('users')
export class User {
  @PrimaryColumn('uuid') id!: string;

  /** A service account signs in by secret only and receives no email. */
  @Column('text', { default: 'person' }) kind!: UserKind;

  /** Canonical form, see `canonicalEmail`; users without an address have a `placeholderEmail`. */
  @Column('text') email!: string;

  @Column('text') name!: string;
  @Column('text') role!: PlatformRole;
  @Column('text') status!: UserStatus;
  @Column('text', { name: 'password_hash', nullable: true, select: false }) passwordHash!: string | null;

  /** Rights of a service account outside `/api`; empty for people. */
  @Column('text', { array: true, default: '{}' }) scopes!: Scope[];

  @Column('text', { default: 'manual' }) source!: UserSource;

  /** Name in the identity provider, unique ignoring case; null: the email address. */
  @Column('text', { name: 'user_name', nullable: true }) userName!: string | null;

  /** Whether SCIM has sent the email address, which then no longer follows the user name. */
  @Column('boolean', { name: 'has_scim_email', default: false }) hasScimEmail!: boolean;

  /** Id in the identity provider, as SCIM sent it. */
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;

  @Column('text', { name: 'given_name', nullable: true }) givenName!: string | null;
  @Column('text', { name: 'family_name', nullable: true }) familyName!: string | null;

  /** Null: unchanged since the creation. */
  @Column('timestamptz', { name: 'updated_at', nullable: true }) updatedAt!: Date | null;

  /** When SCIM deleted the person, who then does not exist for SCIM clients. */
  @Column('timestamptz', { name: 'scim_deleted_at', nullable: true }) scimDeletedAt!: Date | null;

  /** Attributes that identity policies refer to; set by admins or from the provider's claims. */
  @Column('jsonb') attributes!: Record<string, string>;

  /** Null: the language of the browser, and in emails the one of the organization. */
  @Column('text', { nullable: true }) locale!: Locale | null;

  /** IANA name; null: that of the browser, and UTC in emails. */
  @Column('text', { name: 'time_zone', nullable: true }) timeZone!: string | null;

  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'last_sign_in_at', nullable: true }) lastSignInAt!: Date | null;

  /** For a service account: id of the admin who created it. */
  @Column('uuid', { name: 'created_by', nullable: true }) createdBy!: string | null;

  /** Set when a person is erased or a service account is deleted. The row stays because other tables refer to it. */
  @Column('timestamptz', { name: 'removed_at', nullable: true }) removedAt!: Date | null;

  /** Links and codes requested up to this time are void. */
  @Column('timestamptz', { name: 'links_void_before', nullable: true, select: false })
  linksVoidBefore!: Date | null;
}

@Entity('password_resets')
export class PasswordReset {
  @PrimaryColumn('uuid', { name: 'user_id' }) userId!: string;

  /** Id of the request, so that a job that runs twice creates one link. */
  @Column('uuid', { name: 'request_id' }) requestId!: string;

  @Column('bytea', { name: 'secret_salt', select: false }) secretSalt!: Buffer;
  @Column('bytea', { name: 'secret_hash', select: false }) secretHash!: Buffer;
  @Column('timestamptz', { name: 'requested_at' }) requestedAt!: Date;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
  @Column('timestamptz', { name: 'used_at', nullable: true }) usedAt!: Date | null;
}
