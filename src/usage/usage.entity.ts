import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Bucket } from './period.js';

/** A number that represents a person in all other tables, or the pseudonym of a person in one month. */
@Entity('usage_people')
export class UsagePerson {
  /** Assigned by PostgreSQL. */
  @PrimaryColumn({ type: 'integer', insert: false }) number!: number;

  @Column('uuid') person!: string;
  @Column('date', { nullable: true }) month!: string | null;
}

/** The key of the pseudonyms of a month. */
@Entity('usage_month_keys')
export class UsageMonthKey {
  @PrimaryColumn('date') month!: string;
  @Column('bytea') key!: Buffer;
}

/** One opening of a report, in monthly partitions. Properties have the names of the columns, because statements write them. */
@Entity('usage_views')
export class UsageView {
  @PrimaryColumn('uuid') id!: string;
  @PrimaryColumn('timestamptz') started_at!: Date;
  @Column('uuid') report_id!: string;
  @Column('uuid') workspace_id!: string;
  /** Null if no person is stored. */
  @Column('integer', { nullable: true }) person!: number | null;

  @Column('boolean') by_admin!: boolean;
  @Column('integer') page_views!: number;
  @Column('integer') failures!: number;
  @Column('integer') visible_ms!: number;
  @Column('integer', { nullable: true }) load_ms!: number | null;
  @Column('smallint', { nullable: true }) load_seq!: number | null;
  @Column('integer', { nullable: true }) render_ms!: number | null;
  @Column('smallint', { nullable: true }) render_seq!: number | null;
  /** Events that are part of this row; each counts once. */
  @Column('smallint', { array: true }) seqs!: number[];

  @Column('text', { array: true, nullable: true }) pages!: string[] | null;
  /** Display names by the id of the page. */
  @Column('jsonb', { nullable: true }) page_names!: Record<string, string> | null;

  @Column('text', { array: true, nullable: true }) errors!: string[] | null;
}

/** How much of its limits an issued token has used. */
@Entity('usage_tokens')
export class UsageToken {
  @PrimaryColumn('uuid', { name: 'grant_id' }) grantId!: string;
  @Column('timestamptz', { name: 'minute_at' }) minuteAt!: Date;
  @Column('integer') events!: number;
  @Column('timestamptz', { name: 'hour_at' }) hourAt!: Date;
  @Column('integer') views!: number;
  @Column('integer', { name: 'visible_ms' }) visibleMs!: number;
}

/** That views of a report changed at a time: the figures of its day are computed again. */
@Entity('usage_changes')
export class UsageChange {
  /** Assigned by PostgreSQL, whose bigint is read as text. */
  @PrimaryColumn({ type: 'bigint', insert: false }) id!: string;

  @Column('timestamptz') at!: Date;
  @Column('uuid', { name: 'report_id' }) reportId!: string;
  @Column('timestamptz', { name: 'noted_at' }) notedAt!: Date;
}

/** The time zone of the stored days, in one row. */
@Entity('usage_state')
export class UsageState {
  @PrimaryColumn('boolean') id!: true;
  @Column('text', { name: 'time_zone' }) timeZone!: string;
  @Column('timestamptz', { name: 'rolled_at' }) rolledAt!: Date;
}

@Entity('usage_last_views')
export class UsageLastView {
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId!: string;
  @Column('timestamptz', { name: 'last_viewed_at' }) lastViewedAt!: Date;
}

/** Figures that add up. */
abstract class AdditiveFigures {
  @Column('integer') views!: number;
  @Column('integer', { name: 'issued_views' }) issuedViews!: number;
  @Column('integer', { name: 'page_views' }) pageViews!: number;
  @Column('integer') failures!: number;
  @Column('bigint', { name: 'visible_ms' }) visibleMs!: string;
  @Column('integer', { array: true, nullable: true }) render!: number[] | null;
  @Column('integer', { array: true, nullable: true }) load!: number[] | null;
}

abstract class DayFigures extends AdditiveFigures {
  @PrimaryColumn('date') day!: string;
  @PrimaryColumn('boolean', { name: 'by_admin' }) byAdmin!: boolean;
  @Column('integer') viewers!: number;
  /** Null once the single views of the day are removed. */
  @Column('integer', { array: true, nullable: true }) people!: number[] | null;

  @Column('integer', { name: 'people_from', nullable: true }) peopleFrom!: number | null;
  @Column('bit varying', { name: 'people_bits', nullable: true }) peopleBits!: string | null;
  @Column('jsonb', { nullable: true }) errors!: Record<string, number> | null;
}

@Entity('usage_report_day')
export class UsageReportDay extends DayFigures {
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('jsonb', { nullable: true }) pages!: Record<string, number> | null;
  @Column('jsonb', { name: 'page_names', nullable: true }) pageNames!: Record<string, string> | null;
}

@Entity('usage_workspace_day')
export class UsageWorkspaceDay extends DayFigures {
  @PrimaryColumn('uuid', { name: 'workspace_id' }) workspaceId!: string;
}

/** Of a week or month. */
@Entity('usage_report_sums')
export class UsageReportSums extends AdditiveFigures {
  @PrimaryColumn('text') period!: Bucket;
  @PrimaryColumn('date') start!: string;
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId!: string;
  @PrimaryColumn('boolean', { name: 'by_admin' }) byAdmin!: boolean;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
}

@Entity('usage_report_month')
export class UsageReportMonth {
  @PrimaryColumn('date') month!: string;
  @PrimaryColumn('uuid', { name: 'report_id' }) reportId!: string;
  @PrimaryColumn('boolean', { name: 'by_admin' }) byAdmin!: boolean;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('integer') views!: number;
  @Column('integer') viewers!: number;
}

/** The distinct people of the organization in a day, week or month. */
@Entity('usage_active_people')
export class UsageActivePeople {
  @PrimaryColumn('text') period!: Bucket;
  @PrimaryColumn('date') start!: string;
  @PrimaryColumn('boolean', { name: 'by_admin' }) byAdmin!: boolean;
  @Column('integer') viewers!: number;
  /** Null once single views of the period are removed. */
  @Column('integer', { array: true, nullable: true }) people!: number[] | null;
}
