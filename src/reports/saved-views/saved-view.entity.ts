import { Column, Entity, PrimaryColumn } from 'typeorm';

export const viewScopes = ['private', 'shared'] as const;
export type ViewScope = (typeof viewScopes)[number];

/** A state of a report (filters, slicers, page) that a person saved. */
@Entity('saved_views')
export class SavedView {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'report_id' }) reportId!: string;
  @Column('text') name!: string;
  @Column({ type: 'text', name: 'name_key', insert: false, update: false }) nameKey!: string;

  /** `private`: only for its owner; `shared`: for everyone who can see the report. */
  @Column('text') scope!: ViewScope;

  /** Bookmark state from Power BI's client, opaque to the service. Large, so lists do not read it. */
  @Column('text', { select: false }) state!: string;

  @Column('text', { nullable: true }) page!: string | null;

  /** Null for a shared view whose owner was erased. */
  @Column('uuid', { name: 'created_by', nullable: true }) createdBy!: string | null;

  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;
  @Column('timestamptz', { name: 'updated_at' }) updatedAt!: Date;
}
