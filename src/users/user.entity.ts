import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PlatformRole } from '../core/http/principal.js';

export type UserStatus = 'active' | 'disabled';
export type UserKind = 'person' | 'service';

@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** A service account signs in by secret only and receives no email. */
  @Column('text', { default: 'person' })
  kind!: UserKind;

  /** Canonical form, see `canonicalEmail`; users without an address have a `placeholderEmail`. */
  @Column('text')
  email!: string;

  @Column('text')
  name!: string;

  @Column('text')
  role!: PlatformRole;

  @Column('text')
  status!: UserStatus;

  @Column('text', { name: 'password_hash', nullable: true, select: false })
  passwordHash!: string | null;

  /** Attributes that identity policies refer to; set by admins or from the provider's claims. */
  @Column('jsonb')
  attributes!: Record<string, string>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_sign_in_at', nullable: true })
  lastSignInAt!: Date | null;

  /** For a service account: id of the admin who created it. */
  @Column('uuid', { name: 'created_by', nullable: true })
  createdBy!: string | null;

  /** Set when a person is erased or a service account is deleted. The row stays because other tables refer to it. */
  @Column('timestamptz', { name: 'removed_at', nullable: true })
  removedAt!: Date | null;

  /** Links and codes requested up to this time are void. */
  @Column('timestamptz', { name: 'links_void_before', nullable: true, select: false })
  linksVoidBefore!: Date | null;
}
