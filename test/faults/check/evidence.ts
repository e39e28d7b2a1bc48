import type { Call } from '@vitrine/power-bi-emulator';
import type { Entry } from '../load/history.js';
import type { Exit } from '../parts/child.js';
import type { Mail } from '../parts/mail-sink.js';

export interface EvidencePerson {
  id: string;
  email: string;
  isAdmin: boolean;
  /** Workspaces with a permanent grant. */
  workspaces: string[];
}

export interface AuditRow {
  at: number;
  action: string;
  actor_id: string | null;
  target_type: string | null;
  target_id: string | null;
  details: Record<string, unknown>;
}

export interface InvitationRow {
  id: string;
  email: string;
  user_id: string | null;
  accepted_at: number | null;
  revoked_at: number | null;
  workspaces: string[];
  /** Its mail jobs. */
  jobs: number;
}

export interface SessionRow {
  id: string;
  user_id: string;
  ended_at: number | null;
  end_reason: string | null;
}

/** The database after the run. */
export interface Tables {
  users: { id: string; email: string; name: string; status: string }[];
  memberships: { user_id: string; workspace_id: string; role: string }[];
  invitations: InvitationRow[];
  sessions: SessionRow[];
  audit: AuditRow[];
}

/** Resources held by the replicas. */
export interface Resources {
  rss: number;
  fds: number;
  connections: number;
}

/** A requirement of a scenario. */
export interface Expectation {
  /** Printed in the report when it does not hold. */
  name: string;
  holds: boolean;
  found: string;
}

export interface Evidence {
  history: Entry[];
  people: EvidencePerson[];
  tables: Tables;
  mails: Mail[];
  calls: Call[];
  /** Workspace by the report's Power BI id, and by the ids of workspace and report. */
  workspaceByPbiReport: ReadonlyMap<string, string>;
  workspaceByResource: ReadonlyMap<string, string>;
  /** Logs, database dump and calls, by name. */
  artefacts: Record<string, string>;
  /** Names of secrets with the artefacts that contain them. */
  leaks: string[];
  exits: Exit[];
  before: Resources;
  after: Resources;
  /** Requests without a response at the end. */
  openRequests: number;
  expectations: Expectation[];
  /** Milliseconds by which the clock, and so the timestamps, of a replica may differ. */
  clockSkewMs: number;
  /** Milliseconds by which the clock of Power BI, and so the timestamps of calls, were shifted. */
  upstreamClockOffsetMs: number;
  /** Milliseconds since the epoch. */
  began: number;
  ended: number;
}

/** Describes the violations; empty without any. */
export type Invariant = (evidence: Evidence) => string[];
