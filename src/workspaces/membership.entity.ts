import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Weakest first; each can do what the ones before it can. */
export const workspaceRoles = ['viewer', 'editor', 'manager'] as const;

export type WorkspaceRole = (typeof workspaceRoles)[number];

/** A grant: what one person may do in one workspace, and until when. */
@Entity('memberships')
export class Membership {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('uuid', { name: 'workspace_id' })
  workspaceId!: string;

  /** Given by hand, or by a rule over the identity provider's claims. */
  @PrimaryColumn('text')
  source!: 'manual' | 'provider';

  @Column('text')
  role!: WorkspaceRole;

  @Column('timestamptz', { name: 'expires_at', nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}
