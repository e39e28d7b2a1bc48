import type { Call } from '../../../packages/power-bi-emulator/core/calls.js';
import type { Entry } from '../load/history.js';
import type { Exit } from '../parts/child.js';
import type { Mail } from '../parts/mail-sink.js';

export interface PersonFacts {
  id: string;
  email: string;
  isAdmin: boolean;
  /** Workspaces of grants that were there before and stay. */
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
  /** Jobs of the queue that carry its mail. */
  jobs: number;
}

export interface SessionRow {
  id: string;
  user_id: string;
  ended_at: number | null;
  end_reason: string | null;
}

/** The database when all is over. */
export interface Tables {
  users: { id: string; email: string; name: string; status: string }[];
  memberships: { user_id: string; workspace_id: string; role: string }[];
  invitations: InvitationRow[];
  sessions: SessionRow[];
  audit: AuditRow[];
}

/** What a replica holds on to. */
export interface Resources {
  rss: number;
  fds: number;
  connections: number;
}

/** Bounds that a scenario sets for availability. */
export interface Expectation {
  /** What is told in the report when it does not hold. */
  name: string;
  holds: boolean;
  found: string;
}

export interface Evidence {
  history: Entry[];
  people: PersonFacts[];
  tables: Tables;
  mails: Mail[];
  calls: Call[];
  /** Workspace by id of the report in Power BI, and by id of our report. */
  upstream: ReadonlyMap<string, string>;
  places: ReadonlyMap<string, string>;
  /** Texts that the run left behind, by where. */
  artefacts: Record<string, string>;
  /** Names of secrets with the places where they were found. */
  leaks: string[];
  exits: Exit[];
  before: Resources;
  after: Resources;
  /** Requests that were still open when all was over. */
  open: number;
  expectations: Expectation[];
  /** Milliseconds by which a replica's clock was wrong, either way: its rows are stamped so. */
  skewMs: number;
  /** Milliseconds by which Power BI's clock was moved at some time; its calls are stamped so from then on. */
  upstreamAheadMs: number;
  /** Milliseconds since the epoch. */
  began: number;
  ended: number;
}

/** What is wrong, in words; empty when nothing is. */
export type Invariant = (evidence: Evidence) => string[];
