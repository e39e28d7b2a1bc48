import { Column, Entity, PrimaryColumn } from 'typeorm';

export type ReferenceKind = 'workspace' | 'report' | 'group';

/** What a rule names, and the id that the name is bound to. */
@Entity('rule_references')
export class RuleReference {
  @PrimaryColumn('text') kind!: ReferenceKind;
  @PrimaryColumn('text') reference!: string;

  /** Null before the first resolution. */
  @Column('uuid', { name: 'bound_id', nullable: true }) targetId!: string | null;

  @Column('timestamptz', { name: 'unresolved_since', nullable: true }) unresolvedSince!: Date | null;
}
