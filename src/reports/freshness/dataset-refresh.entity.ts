import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RefreshStatus } from '../report.entity.js';

/** What is known about the refreshes of a dataset, and when it is checked again. */
@Entity('dataset_refreshes')
export class DatasetRefresh {
  @PrimaryColumn('text', { name: 'pbi_dataset_id' }) pbiDatasetId!: string;
  @Column('text', { nullable: true }) status!: RefreshStatus | null;
  @Column('timestamptz', { name: 'data_as_of', nullable: true }) dataAsOf!: Date | null;

  /** Null unless the last refresh failed. */
  @Column('timestamptz', { name: 'failed_since', nullable: true }) failedSince!: Date | null;

  @Column('timestamptz', { name: 'checked_at' }) checkedAt!: Date;
  @Column('timestamptz', { name: 'next_at' }) nextAt!: Date;
}
