import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How often a topic has changed. */
@Entity('change_epochs')
export class ChangeEpoch {
  @PrimaryColumn('text') topic!: string;

  /** PostgreSQL's bigint is read as text. */
  @Column('bigint') epoch!: string;
}
