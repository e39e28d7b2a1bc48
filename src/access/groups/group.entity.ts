import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who manages a group or a membership: the API, a rule on the identity provider's claims, or SCIM. */
export type GroupSource = 'manual' | 'provider' | 'scim';

/** A group of people, service accounts and other groups. */
@Entity('groups')
export class Group {
  @PrimaryColumn('uuid') id!: string;

  /** Unique, ignoring case. */
  @Column('text') name!: string;

  /** Sort key of the name, maintained by PostgreSQL. */
  @Column({ type: 'text', name: 'name_key', insert: false, update: false }) nameKey!: string;

  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') source!: GroupSource;

  /** Id of the group in the identity provider or in the SCIM client; null for manual groups. */
  @Column('text', { name: 'external_id', nullable: true }) externalId!: string | null;

  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;

  /** When SCIM last changed the group or its direct members; null if never. */
  @Column('timestamptz', { name: 'updated_at', nullable: true }) updatedAt!: Date | null;
}

/** A direct member of a group: a user or another group. The table has no primary key; its rows are unique by these columns. */
@Entity('group_edges')
export class GroupEdge {
  @PrimaryColumn('uuid', { name: 'group_id' }) group!: string;

  /** A person or service account; null for a group. */
  @PrimaryColumn('uuid', { name: 'user_id' }) user!: string | null;

  /** Null for a person or service account. */
  @PrimaryColumn('uuid', { name: 'member_group_id' }) memberGroup!: string | null;

  @PrimaryColumn('text') source!: GroupSource;
  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
}

/** That a group is in another one, directly or not; each is in itself. Maintained by statements. */
@Entity('group_closure')
export class GroupClosure {
  @PrimaryColumn('uuid', { name: 'inner_id' }) inner!: string;
  @PrimaryColumn('uuid', { name: 'outer_id' }) outer!: string;
}
