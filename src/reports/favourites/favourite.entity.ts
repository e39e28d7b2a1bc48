import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('favourites')
export class Favourite {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('uuid', { name: 'report_id' })
  reportId!: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt!: Date;
}

/** That a user opened a report, and when last. */
@Entity('recent_reports')
export class RecentReport {
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @PrimaryColumn('uuid', { name: 'report_id' })
  reportId!: string;

  @Column('timestamptz', { name: 'opened_at' })
  openedAt!: Date;
}
