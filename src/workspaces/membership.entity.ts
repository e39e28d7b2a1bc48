import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Weakest first; each role includes the rights of the roles before it. */
export const workspaceRoles = ['viewer', 'editor', 'manager'] as const;

export type WorkspaceRole = (typeof workspaceRoles)[number];

/** A grant: the role of one user in one workspace, and when it expires. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  /** Granted manually, or by a rule on the identity provider's claims. */
  @PrimaryColumn('text')
  source!: 'manual' | 'provider';

  @Column('text')
  role!: WorkspaceRole;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
