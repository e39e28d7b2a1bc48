import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProblemCode } from '../../core/problems/problem-catalogue.js';
import type { ExportFormat } from './formats.js';

export type ExportStatus = 'queued' | 'running' | 'succeeded' | 'failed' | 'cancelled' | 'expired';

/** A report that a person exports to a file. Its file is in `report_export_chunks`. */
@Entity('report_exports')
export class ReportExport {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid', { name: 'user_id' }) userId!: string;
  @Column('uuid', { name: 'report_id' }) reportId!: string;
  @Column('uuid', { name: 'workspace_id' }) workspaceId!: string;
  @Column('text') format!: ExportFormat;

  /** Names of pages; empty: all. */
  @Column('text', { array: true }) pages!: string[];

  /** State of a bookmark, until the export has ended. */
  @Column('text', { name: 'view_state', nullable: true }) viewState!: string | null;

  @Column('text') status!: ExportStatus;
  @Column('integer') percent!: number;
  @Column('text', { name: 'file_name' }) fileName!: string;

  /** Bytes of the file. PostgreSQL's bigint is read as text. */
  @Column('bigint', { nullable: true }) size!: string | null;

  /** Why it failed or was cancelled, or why it waits. */
  @Column('text', { name: 'error_code', nullable: true }) errorCode!: ProblemCode | null;

  @Column('text', { name: 'error_detail', nullable: true }) errorDetail!: string | null;

  /** Identifies the capacity whose queue it is in. */
  @Column('text', { nullable: true }) capacity!: string | null;

  @Column('text', { name: 'pbi_export_id', nullable: true }) pbiExportId!: string | null;

  /** Of the identity under which Power BI renders it; null before the start. */
  @Column('bytea', { name: 'identity_hash', nullable: true }) identityHash!: Buffer | null;

  /** Exports started in Power BI, which can ask for a new attempt. */
  @Column('integer') attempts!: number;

  @Column('timestamptz', { name: 'created_at' }) createdAt!: Date;

  /** When a job last worked on it, or when its next step is due. */
  @Column('timestamptz', { name: 'touched_at' }) touchedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true }) finishedAt!: Date | null;
  @Column('timestamptz', { name: 'expires_at', nullable: true }) expiresAt!: Date | null;
}

/** An encrypted part of the file of an export. */
@Entity('report_export_chunks')
export class ExportChunk {
  @PrimaryColumn('uuid', { name: 'export_id' }) exportId!: string;
  @PrimaryColumn('integer') position!: number;
  @Column('bytea') sealed!: Buffer;
}

/** A link that downloads the file of an export once, without a bearer token. */
@Entity('report_export_tickets')
export class ExportTicket {
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('uuid', { name: 'export_id' }) exportId!: string;
  @Column('timestamptz', { name: 'expires_at' }) expiresAt!: Date;
}
