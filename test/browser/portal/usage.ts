import { randomUUID } from 'node:crypto';
import { until } from '../../support/until.js';
import type { Portal } from './portal.js';

interface Viewed {
  /** Id of the report. */
  report: string;
  pages: string[];
  /** Milliseconds until the first rendering, and while the report was visible. */
  opened: number;
  visible: number;
  error?: string;
}

/** Reports a view as a browser does: with a token of the person. */
export async function view(
  { started }: Portal,
  person: { email: string; password: string },
  { report, pages, opened, visible, error }: Viewed,
): Promise<void> {
  const session = await started.post('/api/auth/token', { email: person.email, password: person.password });
  const { access_token } = (await session.json()) as { access_token: string };
  const issued = await started.post(`/api/reports/${report}/embed-token`, {}, access_token);
  const { token_id } = (await issued.json()) as { token_id: string };
  const view_id = randomUUID();
  const kinds: { kind: string; ms?: number; page?: string; code?: string }[] = [
    { kind: 'opened' },
    { kind: 'loaded', ms: opened - 100 },
    { kind: 'rendered', ms: opened },
    ...pages.map((page) => ({ kind: 'page', page })),
    ...(error === undefined ? [] : [{ kind: 'error', code: error }]),
    { kind: 'closed', ms: visible },
  ];
  const events = kinds.map((each, seq) => ({ ...each, seq, view_id, token_id, at_ms: Date.now() }));
  const sent = await started.post('/api/usage/events', { events }, access_token);
  const { rejected } = (await sent.json()) as { rejected: unknown[] };
  if (sent.status !== 202 || rejected.length > 0) throw new Error(JSON.stringify(rejected));
}

/** Waits until the figures contain this number of views, or any: a page that is open does not read them again. */
export async function untilCounted({ started }: Portal, views?: number): Promise<void> {
  const token = await started.signIn();
  await until(async () => {
    const overview = await started.get<{ views: number }>('/api/usage/overview', token);
    return views === undefined ? overview.views > 0 : overview.views === views;
  });
}
