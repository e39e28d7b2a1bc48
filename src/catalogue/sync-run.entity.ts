import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ProblemCode } from '../core/problems/problem-catalogue.js';

export type SyncStatus = 'queued' | 'running' | 'succeeded' | 'partial' | 'failed';
export type SyncTrigger = 'schedule' | 'request' | 'start';

/** A workspace that a sync could not bring up to date, and why. */
export interface SyncError {
  pbi_workspace_id: string | null;
  code: ProblemCode;
  detail: string;
}

@Entity('sync_runs')
export class SyncRun {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  status!: SyncStatus;

  @Column('text')
  trigger!: SyncTrigger;

  @Column('uuid', { name: 'requested_by', nullable: true })
  requestedBy!: string | null;

  @Column('integer', { name: 'workspaces_seen', default: 0 })
  workspacesSeen!: number;

  @Column('integer', { name: 'workspaces_done', default: 0 })
  workspacesDone!: number;

  /** Null as long as Power BI has not told all of them. */
  @Column('integer', { name: 'workspaces_total', nullable: true })
  workspacesTotal!: number | null;

  @Column('integer', { name: 'workspaces_failed', default: 0 })
  workspacesFailed!: number;

  @Column('integer', { name: 'reports_seen', default: 0 })
  reportsSeen!: number;

  @Column('integer', { default: 0 })
  changes!: number;

  @Column('integer', { default: 0 })
  calls!: number;

  @Column('integer', { name: 'throttled_seconds', default: 0 })
  throttledSeconds!: number;

  @Column('jsonb', { default: [] })
  errors!: SyncError[];

  @Column('timestamptz', { name: 'queued_at' })
  queuedAt!: Date;

  @Column('timestamptz', { name: 'started_at', nullable: true })
  startedAt!: Date | null;

  /** Moves while a replica works on it; one that stopped moving was left behind. */
  @Column('timestamptz', { name: 'heartbeat_at', nullable: true })
  heartbeatAt!: Date | null;

  /** Made anew by each replica that takes the run up: one that was overtaken writes nothing any more. */
  @Column('uuid', { nullable: true })
  claim!: string | null;

  /** Every workspace up to this id in Power BI is done: a replica that takes over goes on after it. */
  @Column('uuid', { nullable: true })
  reached!: string | null;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;
}
