import { randomUUID } from 'node:crypto';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { ApiResponse, Client } from '../support/client.js';
import type { Service } from '../support/service.js';

export interface Event {
  view_id: string;
  token_id: string;
  seq: number;
  kind: string;
  at_ms: number;
  page?: string;
  page_name?: string;
  ms?: number;
  code?: string;
}

export interface Ingested {
  accepted: number;
  rejected: { index: number; code: string }[];
}

export const send = (api: Client, events: readonly unknown[]): Promise<ApiResponse<Ingested>> =>
  api.post<Ingested>('/api/usage/events', { events });

interface Issue {
  at?: Date;
  tokenId?: string;
  timesIssued?: number;
  /** Until the token expires. */
  minutes?: number;
}

/** An embed token as its record alone, which is all that usage reads. Returns its token id. */
export async function issue(
  { database, clock }: Pick<Service, 'database' | 'clock'>,
  { id: userId }: Pick<User, 'id'>,
  { id, workspaceId }: Report,
  { at = clock.now(), tokenId = randomUUID(), timesIssued = 1, minutes = 60 }: Issue = {},
): Promise<string> {
  await database.query(
    `INSERT INTO issued_tokens (id, token_id, user_id, report_id, workspace_id, access, issued_at, expires_at,
       last_issued_at, times_issued) VALUES (gen_random_uuid(), $1, $2, $3, $4, 'view', $5, $5::timestamptz + make_interval(mins => $7), $5, $6)`,
    [tokenId, userId, id, workspaceId, at, timesIssued, minutes],
  );
  return tokenId;
}

interface Opening {
  token: string;
  at: Date;
  view?: string;
  /** Opening time. */
  render?: number;
  pages?: string[];
  errors?: string[];
  seconds?: number;
}

/** The events of one opening of a report. */
export function opening({
  token,
  at,
  view = randomUUID(),
  render = 1200,
  pages = ['overview'],
  errors = [],
  seconds = 60,
}: Opening): Event[] {
  const events: Omit<Event, 'view_id' | 'token_id' | 'seq' | 'at_ms'>[] = [
    { kind: 'opened' },
    { kind: 'loaded', ms: Math.floor(render / 2) },
    { kind: 'rendered', ms: render },
    ...pages.map((page) => ({ kind: 'page', page })),
    ...errors.map((code) => ({ kind: 'error', code })),
    { kind: 'closed', ms: seconds * 1000 },
  ];
  return events.map((event, seq) => ({
    view_id: view,
    token_id: token,
    seq,
    at_ms: at.getTime() + seq,
    ...event,
  }));
}
