import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Report } from '../../src/reports/report.entity.js';
import type { User } from '../../src/users/user.entity.js';
import type { Workspace } from '../../src/workspaces/workspace.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { rollUp } from './figures.js';
import { type Event, issue, opening, send } from './usage-api.js';

let service: Service;
let sales: Workspace;
let report: Report;
let ada: User;
let api: Client;
let token: string;

beforeAll(async () => {
  service = await startService({ RATE_LIMIT_API_PER_MINUTE: '0' });
  sales = await service.factory.workspace();
  report = await service.factory.report(sales);
});
beforeEach(async () => {
  ada = await service.factory.user();
  await service.factory.grant(ada, sales);
  api = await service.as(ada);
  token = await issue(service, ada, report);
});
afterAll(() => service.close());

interface Row {
  person: string | null;
  page_views: number;
  failures: number;
  visible_ms: number;
  load_ms: number | null;
  render_ms: number | null;
  pages: string[] | null;
  errors: string[] | null;
  seqs: number[];
  started_at: Date;
}

const views = (user: User = ada): Promise<Row[]> =>
  service.database.query(
    `SELECT v.*, p.person FROM usage_views v JOIN usage_people p ON p.number = v.person WHERE p.person = $1
     ORDER BY v.started_at, v.id`,
    [user.id],
  );
const now = () => service.clock.now();
const minutes = (count: number) => new Date(now().getTime() + count * 60_000);
const one = (fields: Partial<Event> = {}): Event => ({
  view_id: randomUUID(),
  token_id: token,
  seq: 0,
  kind: 'opened',
  at_ms: now().getTime(),
  ...fields,
});

describe('POST /api/usage/events', () => {
  test('202: a whole view is one row, however its events are split and ordered', async () => {
    const events = opening({
      token,
      at: now(),
      pages: ['a', 'b', 'a'],
      errors: ['TokenExpired'],
      seconds: 30,
    });
    const view = { page_views: 3, failures: 1, visible_ms: 30_000, load_ms: 600, render_ms: 1200 };
    const again = { ...(events[2] as Event), seq: 20, ms: 90 };
    expect((await send(api, [again, ...events.slice(5)])).body).toEqual({ accepted: 4, rejected: [] });
    expect((await send(api, events.slice(0, 5).toReversed())).body).toEqual({ accepted: 5, rejected: [] });
    const rows = await views();
    expect(rows).toMatchObject([{ ...view, errors: ['TokenExpired'] }]);
    expect(rows[0]?.pages?.toSorted()).toEqual(['a', 'a', 'b']);
  });

  test('202: a renewed token continues the view', async () => {
    const [first, ...rest] = opening({ token, at: now() });
    await send(api, [first]);
    const renewed = await issue(service, ada, report);
    await send(
      api,
      rest.map((event) => ({ ...event, token_id: renewed })),
    );
    expect(await views()).toMatchObject([{ page_views: 1, visible_ms: 60_000 }]);
  });

  test('202: repeated events are accepted and count once, also at the same time', async () => {
    const events = opening({ token, at: now() });
    const all = await Promise.all(Array.from({ length: 8 }, () => send(api, events)));
    expect(all.map(({ body }) => body.accepted)).toEqual(Array.from({ length: 8 }, () => events.length));
    const [view, ...others] = await views();
    expect(others).toEqual([]);
    expect(view).toMatchObject({ page_views: 1 });
    expect(view?.seqs).toHaveLength(5);
  });

  test('202: a repeated seq with another content changes nothing', async () => {
    const events = opening({ token, at: now(), seconds: 10 });
    await send(api, events);
    const { body } = await send(
      api,
      events.map((event) => ({ ...event, kind: 'closed', ms: 80_000 })),
    );
    expect(body.rejected).toEqual([]);
    expect(await views()).toMatchObject([{ visible_ms: 10_000, page_views: 1 }]);
  });

  test('202: one bad event does not lose the others', async () => {
    const bad: unknown[] = [
      one({ kind: 'clicked' }),
      one({ seq: -1 }),
      one({ seq: 5000 }),
      one({ kind: 'page' }),
      one({ kind: 'page', page: 'x'.repeat(201) }),
      one({ kind: 'page', page: 'a', page_name: 'x'.repeat(201) }),
      one({ kind: 'page', page: 'a', page_name: '' }),
      one({ kind: 'error', code: '<b>' }),
      one({ view_id: 'x' }),
      one({ at_ms: 1.5 }),
      { ...one(), more: true },
      null,
      'opened',
    ];
    const { status, body } = await send(api, [...bad, one()]);
    expect(status).toBe(202);
    expect(body).toEqual({
      accepted: 1,
      rejected: bad.map((_, index) => ({ index, code: 'invalid_event' })),
    });
    expect(await views()).toHaveLength(1);
  });

  test.each([
    ['more than 5 minutes ahead', () => ({ at_ms: minutes(5.1).getTime() }), 'event_in_future'],
    [
      'more than 5 minutes before the token',
      () => ({ at_ms: minutes(-5.1).getTime() }),
      'event_before_token',
    ],
    ['longer than a day', () => ({ kind: 'closed', ms: 86_400_001 }), 'duration_too_long'],
    ['of an unknown token', () => ({ token_id: randomUUID() }), 'unknown_token'],
  ])('202: rejects an event %s', async (_name, fields, code) => {
    const { body } = await send(api, [one(fields())]);
    expect(body).toEqual({ accepted: 0, rejected: [{ index: 0, code }] });
    expect(await views()).toEqual([]);
  });

  test('202: rejects the token of another person, like an unknown one', async () => {
    const foreign = await issue(service, await service.factory.user(), report);
    const shared = await issue(service, await service.factory.user(), report, { tokenId: token });
    const { body } = await send(api, [one({ token_id: foreign }), one({ token_id: shared })]);
    expect(body).toEqual({ accepted: 1, rejected: [{ index: 0, code: 'unknown_token' }] });
  });

  test('202: a view id of another person is a separate view', async () => {
    const [theirs] = opening({ token, at: now() }) as [Event];
    await send(api, [theirs]);
    const ben = await service.factory.user();
    const own = await issue(service, ben, report);
    const { body } = await send(await service.as(ben), [
      { ...theirs, token_id: own, seq: 7, kind: 'page', page: 'a' },
    ]);
    expect(body.accepted).toBe(1);
    expect(await views()).toMatchObject([{ page_views: 0 }]);
    expect(await views(ben)).toMatchObject([{ page_views: 1 }]);
  });

  test('202: a duration is at most the time since the token, plus 2 minutes', async () => {
    const early = one({ at_ms: minutes(-4).getTime() });
    await send(api, [early, { ...early, seq: 1, kind: 'closed', ms: 23 * 3_600_000 }]);
    const [view] = await views();
    expect(view?.visible_ms).toBeLessThanOrEqual(125_000);
    expect(view?.visible_ms).toBeGreaterThanOrEqual(120_000);
  });

  test('202: an opening time is at most the age of the view, plus 30 seconds', async () => {
    await send(api, opening({ token, at: now(), render: 86_400_000 }));
    const [view] = await views();
    for (const ms of [view?.load_ms, view?.render_ms]) {
      expect(ms).toBeGreaterThanOrEqual(30_000);
      expect(ms).toBeLessThan(600_000);
    }
    token = await issue(service, ada, report, { at: minutes(-30) });
    const early = one({ at_ms: minutes(-20).getTime() });
    await send(api, [
      early,
      { ...early, seq: 1, kind: 'rendered', ms: 70_000, at_ms: minutes(-19).getTime() },
    ]);
    expect((await views()).map(({ render_ms }) => render_ms)).toContain(70_000);
  });

  test('202: a token has at most 10 opening times in an hour', async () => {
    for (let index = 0; index < 12; index += 1) {
      const { body } = await send(api, opening({ token, at: now(), seconds: 1 }));
      expect(body.rejected).toEqual([]);
    }
    const stored = await views();
    expect(stored).toHaveLength(12);
    for (const column of ['load_ms', 'render_ms'] as const)
      expect(stored.filter((view) => view[column] !== null)).toHaveLength(10);
  });

  test('202: the visible time of all views of a token is at most twice its age, plus 2 minutes', async () => {
    token = await issue(service, ada, report, { at: minutes(-10) });
    const seconds = 600;
    for (let index = 0; index < 4; index += 1)
      await send(api, opening({ token, at: minutes(-10), seconds, pages: [] }));
    const total = (await views()).reduce((sum, { visible_ms }) => sum + visible_ms, 0);
    expect(total).toBeGreaterThanOrEqual(22 * 60_000);
    expect(total).toBeLessThan(30 * 60_000);
  });

  test('202: limits views and events of each token', async () => {
    const flood = (count: number) => Array.from({ length: count }, () => one());
    const limited = (bodies: { body: { rejected: { code: string }[] } }[]) =>
      bodies.flatMap(({ body }) => body.rejected).map(({ code }) => code);
    const batches = await Promise.all([50, 50, 30].map((count) => send(api, flood(count))));
    expect(limited(batches)).toEqual(Array.from({ length: 10 }, () => 'rate_limited'));
    expect(await views()).toHaveLength(120);
    const view: string = randomUUID();
    const many = await Promise.all(
      Array.from({ length: 10 }, (_, batch) =>
        send(
          api,
          Array.from({ length: 50 }, (_each, index) => one({ view_id: view, seq: batch * 50 + index })),
        ),
      ),
    );
    // 130 events before, and the view is new: all of them are rejected.
    expect(limited(many)).toHaveLength(500);
    token = await issue(service, ada, report);
    const fresh = await Promise.all(
      Array.from({ length: 13 }, (_, batch) =>
        send(
          api,
          Array.from({ length: 50 }, (_each, index) => one({ view_id: view, seq: batch * 50 + index })),
        ),
      ),
    );
    expect(limited(fresh)).toHaveLength(50);
    service.clock.advance(61);
    expect((await send(api, [one({ view_id: view, seq: 4000 })])).body.rejected).toEqual([]);
  });

  test('202: rejects an event that is more than 48 h old', async () => {
    token = await issue(service, ada, report, { at: minutes(-60 * 48.5) });
    const { body } = await send(api, [
      one({ at_ms: minutes(-60 * 48.25).getTime() }),
      one({ at_ms: minutes(-60 * 47.75).getTime() }),
    ]);
    expect(body).toEqual({ accepted: 1, rejected: [{ index: 0, code: 'event_too_old' }] });
  });

  test('202: rejects a view that begins more than 5 minutes after the token expired, but not later events of a view', async () => {
    token = await issue(service, ada, report, { at: minutes(-120) });
    const late = one({ at_ms: minutes(-54).getTime() });
    const first = one({ at_ms: minutes(-56).getTime() });
    const { body } = await send(api, [late, { ...late, seq: 1, kind: 'page', page: 'a' }, first]);
    expect(body).toEqual({
      accepted: 1,
      rejected: [
        { index: 0, code: 'event_after_token' },
        { index: 1, code: 'event_after_token' },
      ],
    });
    const later = { ...first, seq: 1, kind: 'page', page: 'a', at_ms: now().getTime() };
    expect((await send(api, [later])).body).toEqual({ accepted: 1, rejected: [] });
    expect(await views()).toMatchObject([{ page_views: 1 }]);
  });

  test('500: a batch that is not stored assigns no number to the person', async () => {
    const { database } = service;
    await database.query('ALTER TABLE usage_changes ADD CONSTRAINT refused CHECK (false) NOT VALID');
    try {
      expect((await send(api, [one()])).status).toBe(500);
    } finally {
      await database.query('ALTER TABLE usage_changes DROP CONSTRAINT refused');
    }
    expect((await send(api, [one()])).body).toEqual({ accepted: 1, rejected: [] });
    expect(await views()).toHaveLength(1);
  });

  test.each([
    ['no events', { events: [] }, '/events'],
    ['51 events', { events: Array.from({ length: 51 }, () => ({})) }, '/events'],
    ['no list', { events: {} }, '/events'],
    ['another name', { events: [{}], more: 1 }, '/more'],
  ])('400: %s', async (_name, body, pointer) => {
    const response = await api.post('/api/usage/events', body);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ pointer }] } });
  });

  test('413: a body of more than 64 kB', async () => {
    const response = await api.post('/api/usage/events', { events: [{ page: 'x'.repeat(65_536) }] });
    expect(response.status).toBe(413);
  });
});

describe('usage by page', () => {
  test('shows the display name that most people saw, in JSON and CSV', async () => {
    const own = await service.factory.report(sales);
    const open = async (page: string, names: (string | undefined)[]) => {
      const user = await service.factory.user();
      const client = await service.as(user);
      token = await issue(service, user, own);
      for (const page_name of names) await send(client, [one({ kind: 'page', page, page_name })]);
    };
    await open('ReportSection1', ['Products']);
    await open('ReportSection1', ['Products']);
    await open('ReportSection1', ['Chosen by one', 'Chosen by one', 'Chosen by one']);
    await open('ReportSection2', [undefined]);
    await rollUp(service);
    const admin = await service.asAdmin();
    const pages = [
      { page: 'ReportSection1', name: 'Products', views: 5 },
      { page: 'ReportSection2', name: null, views: 1 },
    ];
    const path = `/api/usage/reports/${own.id}`;
    expect((await admin.get(path)).body).toMatchObject({ pages });
    expect((await admin.get(`${path}/pages`)).body).toEqual({ pages });
    const headers = { authorization: `Bearer ${admin.token}`, accept: 'text/csv' };
    const text = await (await fetch(`${service.url}${path}/pages`, { headers })).text();
    expect(text.trim().split('\r\n')).toEqual([
      'page,name,views',
      'ReportSection1,Products,5',
      'ReportSection2,,1',
    ]);
  });
});

describe('USAGE_PEOPLE', () => {
  test.each([
    ['pseudonymous', 1],
    ['off', 0],
  ])('%s stores no user id', async (mode, people) => {
    const other = await startService({ USAGE_PEOPLE: mode });
    try {
      const user = await other.factory.user();
      const workspace = await other.factory.workspace();
      const tokenId = await issue(other, user, await other.factory.report(workspace));
      const client = await other.as(user);
      for (let index = 0; index < 2; index += 1) {
        const { body } = await send(client, opening({ token: tokenId, at: other.clock.now() }));
        expect(body.rejected).toEqual([]);
      }
      const stored = await other.database.query('SELECT person FROM usage_people');
      expect(stored).toHaveLength(people);
      const [{ text }] = await other.database.query(
        `SELECT (SELECT coalesce(string_agg(v::text, ''), '') FROM usage_views v)
           || (SELECT coalesce(string_agg(p::text, ''), '') FROM usage_people p) AS text`,
      );
      expect(text).not.toContain(user.id);
    } finally {
      await other.close();
    }
  });
});

test('a page that stays open for 40 days continues its view', async () => {
  const other = await startService();
  try {
    const user = await other.factory.user();
    const own = await other.factory.report(await other.factory.workspace());
    const begun = await issue(other, user, own);
    const [first, ...rest] = opening({ token: begun, at: other.clock.now() });
    await send(await other.as(user), [first]);
    other.clock.advance(40 * 86_400);
    const renewed = await issue(other, user, own);
    const at_ms = other.clock.now().getTime();
    const later = rest.map((event) => ({ ...event, token_id: renewed, at_ms }));
    expect((await send(await other.as(user), later)).body).toEqual({ accepted: 4, rejected: [] });
    await rollUp(other);
    const { body } = await (await other.asAdmin()).get(`/api/usage/reports/${own.id}?days=60`);
    expect(body).toMatchObject({ views: 1, page_views: 1, seconds: 60 });
  } finally {
    await other.close();
  }
});
