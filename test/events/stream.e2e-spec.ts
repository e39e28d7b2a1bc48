import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { v7 as uuidv7 } from 'uuid';
import { DatabaseService } from '../../src/core/database/database.service.js';
import { LoadShedderService } from '../../src/core/http/load-shedder.service.js';
import { requestId } from '../../src/core/http/request-context.js';
import { EventFeedService } from '../../src/events/outbox/event-feed.service.js';
import { EventsService } from '../../src/events/outbox/events.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { type EventSource, openStream } from './event-source.js';

let service: Service;
let replica: InProcessReplica;
let admin: Client;
const opened: EventSource[] = [];

beforeAll(async () => {
  service = await startService({ REQUEST_DEADLINE_SECONDS: '4', STALLED_READER_SECONDS: '2' });
  replica = await startInProcessReplica(service);
  admin = await service.asAdmin();
});
afterEach(() => {
  jest.restoreAllMocks();
  for (const each of opened.splice(0)) each.close();
});
afterAll(async () => {
  await replica.close();
  await service.close();
});

type Options = Parameters<typeof openStream>[2] & { url?: string };

async function stream(client: Client, { url = service.url, ...options }: Options = {}): Promise<EventSource> {
  const source = await openStream(url, client.token, options);
  opened.push(source);
  return source;
}

/** On the other replica than most streams. */
async function happen(
  count: number,
  type: 'group.created' | 'group.deleted' = 'group.created',
): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const group = uuidv7();
    await replica.app
      .get(DatabaseService)
      .newTransaction((tx) =>
        replica.app
          .get(EventsService)
          .record(tx, [{ type, subject: `group/${group}`, data: { group_id: group } }]),
      );
  }
}

const seqs = (source: EventSource): number[] => source.messages.map(({ data }) => data.seq);
const following = (numbers: number[]): number[] => numbers.map((_, n) => (numbers[0] ?? 0) + n);

async function openAdmin(): Promise<{ user: User; api: Client; source: EventSource }> {
  const user = await service.factory.admin();
  const api = await service.as(user);
  const source = await stream(api);
  await until(() => source.lastEventId() !== '');
  return { user, api, source };
}

describe('GET /api/events as a stream', () => {
  test('200: events as they happen, on every replica', async () => {
    const here = await stream(admin, { query: '?type=group.created' });
    const there = await stream(admin, { query: '?type=group.created', url: replica.url });
    expect(here).toMatchObject({ status: 200 });
    expect(here.headers.get('content-type')).toBe('text/event-stream');
    await until(() => here.lastEventId() !== '' && there.lastEventId() !== '');
    await happen(3);
    for (const source of [here, there]) {
      const [first] = await source.received(3);
      expect(first).toMatchObject({
        id: String(first?.data.seq),
        event: 'group.created',
        data: { type: 'group.created', data: { actor_id: null } },
      });
      expect(seqs(source)).toEqual(following(seqs(source)));
    }
  });

  test('200: events after a notification of another client', async () => {
    const source = await stream(admin, { query: '?type=group.created' });
    await until(() => source.lastEventId() !== '');
    for (const payload of ['', 'x', '1000000000'])
      await service.database.query(`SELECT pg_notify('vitrine_events', $1)`, [payload]);
    await happen(1);
    await source.received(1);
  });

  test('200: resumes after Last-Event-ID, which takes precedence over after, without gap or repetition', async () => {
    const first = await stream(admin, { query: '?type=group.created' });
    await until(() => first.lastEventId() !== '');
    const all: number[] = [];
    let source = first;
    const writing = happen(60);
    while (all.length < 60) {
      await source.received(1);
      source.close();
      await until(source.isOver);
      all.push(...seqs(source));
      if (all.length >= 60) break;
      source = await stream(admin, {
        query: '?type=group.created&after=0',
        lastEventId: source.lastEventId(),
      });
    }
    await writing;
    expect(all).toEqual(following(all));
  });

  test('200: reads stored events after the position first', async () => {
    await happen(250);
    const { body } = await admin.get<{ events: { seq: number }[] }>('/api/events?type=group.created');
    const source = await stream(admin, { query: '?after=0&type=group.created' });
    await until(() => source.messages.length >= 250);
    await happen(1);
    await until(() => seqs(source).length > body.events.length);
    expect(seqs(source).slice(0, body.events.length)).toEqual(body.events.map(({ seq }) => seq));
    expect(new Set(seqs(source)).size).toBe(seqs(source).length);
  });

  test('200: continues when another client disconnects, whose stream reads for both', async () => {
    const sources = [await stream(admin), await stream(admin)];
    await until(() => sources.every((each) => each.lastEventId() !== ''));
    const events = service.app.get(EventsService);
    const after = events.after.bind(events);
    const isHeld = Promise.withResolvers<void>();
    const readers: string[] = [];
    jest.spyOn(events, 'after').mockImplementation(async (selection) => {
      readers.push(requestId());
      await isHeld.promise;
      return after(selection);
    });
    await happen(1);
    const reader = await until(() => readers[0]);
    const isReader = (source: EventSource): boolean => source.headers.get('x-request-id') === reader;
    sources.find(isReader)?.close();
    await until(() => service.app.get(LoadShedderService).openRequests === 1);
    isHeld.resolve();
    const other = sources.find((each) => !isReader(each));
    await other?.received(1);
    expect(other?.isOver()).toBe(false);
  });

  test('200: does not wait for a read that began before its event', async () => {
    const first = await stream(admin);
    const events = service.app.get(EventsService);
    const after = events.after.bind(events);
    const isHeld = Promise.withResolvers<void>();
    const reads = jest.spyOn(events, 'after').mockImplementationOnce(async (selection) => {
      const batch = await after(selection);
      await isHeld.promise;
      return batch;
    });
    const { after: position = 0 } = await until(() => reads.mock.calls[0]?.[0]);
    await happen(1);
    await until(() => service.app.get(EventFeedService).lastSeq > position);
    const second = await stream(admin, { query: `?after=${position}` });
    await second.received(1);
    isHeld.resolve();
    await first.received(1);
  });

  test('an id without data moves the position past events of other types', async () => {
    const source = await stream(admin, { query: '?type=user.erased' });
    await until(() => source.lastEventId() !== '');
    const before = Number(source.lastEventId());
    await happen(4);
    await until(() => Number(source.lastEventId()) >= before + 4);
    expect(source.messages).toEqual([]);
  });

  test('stays open after the deadline of requests and the time of a stalled reader', async () => {
    const source = await stream(admin);
    await sleep(5500);
    expect(source.isOver()).toBe(false);
    await happen(1);
    await source.received(1);
  });

  test('a stream without events has a heartbeat in half the time of a stalled reader, with the position', async () => {
    const source = await stream(admin);
    await until(() => source.lastEventId() !== '');
    const position = source.lastEventId();
    await until(() => source.heartbeats.length >= 3);
    expect(source.heartbeats.slice(0, 3)).toEqual([{ id: position }, { id: position }, { id: position }]);
    expect(source.messages).toEqual([]);
  });

  test('all streams of a replica share its one connection that listens', async () => {
    const listening = () =>
      service.database.query(
        `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'vitrine direct' ORDER BY pid`,
      );
    const before = await until(async () => {
      const found = await listening();
      return found.length === 2 && found;
    });
    const sources = await Promise.all([1, 2, 3, 4].map(() => stream(admin)));
    const there = await stream(admin, { url: replica.url });
    await until(() => [...sources, there].every((each) => each.lastEventId() !== ''));
    await happen(1);
    for (const each of [...sources, there]) await each.received(1);
    expect(await listening()).toEqual(before);
  });

  test('ends when the access token expires', async () => {
    const { api, source } = await openAdmin();
    service.clock.advance(3599);
    const late = await stream(api);
    await until(late.isOver);
    service.changed();
    await until(source.isOver);
    admin = await service.asAdmin();
  });

  const ends: [string, (user: User, api: Client) => Promise<unknown>][] = [
    ['is disabled', (user) => admin.patch(`/api/users/${user.id}`, { status: 'disabled' })],
    ['is demoted', (user) => admin.patch(`/api/users/${user.id}`, { role: 'member' })],
    ['signs out', (_, api) => api.post('/api/auth/logout')],
  ];
  test.each(ends)('ends on every replica when the caller %s', async (_, change) => {
    const { user, api, source } = await openAdmin();
    const there = await stream(api, { url: replica.url });
    const other = await stream(admin);
    // No cached principal expires: only the notification can end the streams.
    await service.clock.frozen(async () => {
      await change(user, api);
      await until(() => source.isOver() && there.isOver());
    });
    expect(other.isOver()).toBe(false);
  });

  test('a client that does not read stops the reading of events, and is disconnected', async () => {
    const events = service.app.get(EventsService);
    const after = await events.lastSeq();
    await service.database.query(
      `INSERT INTO events (id, type, subject, data, at)
       SELECT gen_random_uuid(), 'group.created', 'group/' || n, jsonb_build_object('padding', repeat('x', 5000)), now()
       FROM generate_series(1, 8000) n`,
    );
    await until(async () => (await events.lastSeq()) === after + 8000);
    const reads = jest.spyOn(events, 'after');
    const socket = createConnection(Number(new URL(service.url).port), '127.0.0.1');
    socket.pause();
    socket.write(
      `GET /api/events?after=${after} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\nAuthorization: Bearer ${admin.token}\r\n\r\n`,
    );
    const load = service.app.get(LoadShedderService);
    await until(() => load.openRequests > 0);
    await until(() => load.openRequests === 0);
    // All events are 40 batches of 1 MB; the buffers of the two sockets contain some of them.
    expect(reads.mock.calls.length).toBeLessThan(25);
    reads.mockRestore();
    socket.destroy();
  });

  test('429: the sixth stream of a caller', async () => {
    const { api } = await openAdmin();
    const sources = [];
    for (let n = 0; n < 5; n += 1) sources.push(await stream(api));
    expect(sources.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    expect(sources.at(-1)?.headers.get('retry-after')).toBe('5');
    sources[0]?.close();
    await until(async () => (await stream(api)).status === 200);
  });

  test.each(['x', '-1', '1.5', '9'.repeat(20)])('400: Last-Event-ID %s', async (lastEventId) => {
    expect((await stream(admin, { lastEventId })).status).toBe(400);
  });

  test('400: a Last-Event-ID after the last event is named', async () => {
    const { status, body } = await admin.get('/api/events', {
      accept: 'text/event-stream',
      'last-event-id': '999999999',
    });
    expect([status, body.errors]).toEqual([400, [{ pointer: '/Last-Event-ID', detail: expect.any(String) }]]);
  });

  test('410: the position is no longer stored', async () => {
    await service.database.query('DELETE FROM events WHERE seq <= 5');
    expect((await stream(admin, { lastEventId: '2' })).status).toBe(410);
  });

  test('403: a member', async () => {
    expect((await stream(await service.as(await service.factory.user()))).status).toBe(403);
  });

  test('a stream takes no slot of requests, and ends when the replica drains', async () => {
    const other = await startInProcessReplica(service);
    const source = await stream(admin, { url: other.url });
    await until(() => source.lastEventId() !== '');
    await other.close();
    await until(source.isOver);
  });
});
