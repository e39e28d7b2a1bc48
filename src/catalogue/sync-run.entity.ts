import { Column, Entity, PrimaryColumn } from 'typeorm';
import { recordedOnly } from '../core/database/personal-data.js';
import type { ProblemCode } from '../core/problems/problem-catalogue.js';

export type SyncStatus = 'queued' | 'running' | 'succeeded' | 'partial' | 'failed';
export type SyncTrigger = 'schedule' | 'request' | 'start';

/** A workspace that a sync failed to update, and the reason. */
export interface SyncError {
  pbi_workspace_id: string | null;
  code: ProblemCode;
  detail: string;
}

@Entity('sync_runs')
export class SyncRun {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') status!: SyncStatus;
  @Column('text') trigger!: SyncTrigger;
  @Column('uuid', { name: 'requested_by', nullable: true }) requestedBy!: string | null;
  @Column('integer', { name: 'workspaces_seen', default: 0 }) workspacesSeen!: number;
  @Column('integer', { name: 'workspaces_done', default: 0 }) workspacesDone!: number;

  /** Null until Power BI has listed all workspaces. */
  @Column('integer', { name: 'workspaces_total', nullable: true }) workspacesTotal!: number | null;

  @Column('integer', { name: 'workspaces_failed', default: 0 }) workspacesFailed!: number;
  @Column('integer', { name: 'reports_seen', default: 0 }) reportsSeen!: number;
  @Column('integer', { default: 0 }) changes!: number;
  @Column('integer', { default: 0 }) calls!: number;
  @Column('integer', { name: 'throttled_seconds', default: 0 }) throttledSeconds!: number;
  @Column('jsonb', { default: [] }) errors!: SyncError[];
  @Column('timestamptz', { name: 'queued_at' }) queuedAt!: Date;
  @Column('timestamptz', { name: 'started_at', nullable: true }) startedAt!: Date | null;

  /** Updated while a replica processes the run. A run with a stale heartbeat is abandoned. */
  @Column('timestamptz', { name: 'heartbeat_at', nullable: true }) heartbeatAt!: Date | null;

  /** Fencing token, set by each replica that takes the run over: a superseded replica can no longer write. */
  @Column('uuid', { nullable: true }) claim!: string | null;

  /** Checkpoint: all workspaces up to this Power BI id are done. A replica that takes over continues after it. */
  @Column('uuid', { nullable: true }) reached!: string | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true }) finishedAt!: Date | null;
}

export const personalData = [recordedOnly('sync_runs', ['requested_by'], 'the admin who started a sync')];
