import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The only row. */
@Entity('onboarding')
export class Onboarding {
  @PrimaryColumn('smallint') id!: number;

  /** When an admin hid the checklist, for all admins. */
  @Column('timestamptz', { name: 'dismissed_at', nullable: true }) dismissedAt!: Date | null;
}
