import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PlatformRole } from '../common/principal.js';

export type UserStatus = 'active' | 'disabled';

@Entity('users')
export class User {
  @PrimaryColumn('uuid')
  id!: string;

  /** In canonical form: see `canonicalEmail`. */
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

  /** What identity policies may refer to; set by admins or taken from the provider's claims. */
  @Column('jsonb')
  attributes!: Record<string, string>;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  @Column('timestamptz', { name: 'last_sign_in_at', nullable: true })
  lastSignInAt!: Date | null;
}
