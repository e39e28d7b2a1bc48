import type { Entry } from '../load/history.js';
import type { AuditRow, Evidence, InvitationRow } from './evidence.js';

/** The evidence of an empty run, with these changes. */
export const evidence = (changes: Partial<Evidence> = {}): Evidence => ({
  history: [],
  people: [],
  tables: { users: [], memberships: [], invitations: [], sessions: [], audit: [] },
  mails: [],
  calls: [],
  workspaceByPbiReport: new Map(),
  workspaceByResource: new Map(),
  artefacts: {},
  leaks: [],
  exits: [],
  before: { rss: 0, fds: 0, connections: 0 },
  after: { rss: 0, fds: 0, connections: 0 },
  openRequests: 0,
  expectations: [],
  clockSkewMs: 0,
  upstreamClockOffsetMs: 0,
  began: 0,
  ended: 10_000,
  ...changes,
});

export const entry = (changes: Partial<Entry>): Entry => {
  const status = changes.status ?? 200;
  const result = status === 0 || status >= 500 ? 'unknown' : status >= 400 ? 'fail' : 'ok';
  return {
    t_invoke: 1_000,
    t_done: 1_100,
    actor: 'ada',
    op: 'me',
    key: '',
    value: null,
    result,
    status,
    ...changes,
  };
};

export const audit = (changes: Partial<AuditRow>): AuditRow => ({
  at: 1_000,
  action: 'signed_in',
  actor_id: 'ada-id',
  target_type: 'session',
  target_id: 's1',
  details: {},
  ...changes,
});

export const invitation = (changes: Partial<InvitationRow> = {}): InvitationRow => ({
  id: 'i1',
  email: 'guest-1',
  user_id: null,
  accepted_at: null,
  revoked_at: null,
  workspaces: ['w1'],
  jobs: 1,
  ...changes,
});
