import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who manages a group or a membership: the API, a rule on the identity provider's claims, or SCIM. */
export type GroupSource = 'manual' | 'provider' | 'scim';

/** A group of people, service accounts and other groups. Its members are in `group_edges`, not in an entity. */
@Entity('groups')
export class Group {
  @PrimaryColumn('uuid')
  id!: string;

  /** Unique, ignoring case. */
  @Column('text')
  name!: string;

  /** Sort key of the name, maintained by PostgreSQL. */
  @Column({ type: 'text', name: 'name_key', insert: false, update: false })
  nameKey!: string;

  @Column('text', { nullable: true })
  description!: string | null;

  @Column('text')
  source!: GroupSource;

  /** Id of the group in the identity provider or in the SCIM client; null for manual groups. */
  @Column('text', { name: 'external_id', nullable: true })
  externalId!: string | null;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;

  /** When SCIM last changed the group or its direct members; null if never. */
  @Column('timestamptz', { name: 'updated_at', nullable: true })
  updatedAt!: Date | null;
}
