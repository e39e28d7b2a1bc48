import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { EventType } from '../../src/events/outbox/event-types.js';
import { WebhookEventsService } from '../../src/events/webhooks/webhook-events.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { type Service, startService } from '../support/service.js';
import { explainingConnection, mostRowsRead, Statements } from '../support/statements.js';
import { until } from '../support/until.js';
import { numbersOf } from './events.js';
import { type Receiver, startReceiver } from './receiver.js';

const DAY = 24 * 3600;

let statements: Statements;
let service: Service;
let ada: User;
let admin: Client;
let receiver: Receiver;

beforeAll(async () => {
  statements = new Statements();
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  ada = await service.factory.admin();
});
afterAll(async () => {
  statements.close();
  await service.close();
});
beforeEach(async () => {
  receiver = await startReceiver();
  // The events of the tests have later times and higher seqs than those of the tests before.
  const waiting = 'SELECT FROM events WHERE seq IS NULL';
  await until(async () => (await service.database.query(waiting)).length === 0);
  await pass(2 * DAY);
});
afterEach(() => receiver.close());

/** Lets time pass. Tokens expire in it. */
async function pass(seconds: number): Promise<void> {
  service.clock.advance(seconds);
  admin = await service.as(ada);
}

interface Stored {
  type?: EventType;
  /** Seconds after `start` of each event, in the order of their seq. */
  after: number[];
}

/** Stores events whose seq is assigned. Those of the default type have their index as number. */
const store = (start: Date, { type = 'workspace.updated', after }: Stored): Promise<unknown> =>
  service.database.query(
    `WITH moved AS (
       UPDATE event_sequence SET last_seq = last_seq + cardinality($2::int[]) RETURNING last_seq - cardinality($2::int[]) AS before
     )
     INSERT INTO events (id, seq, type, subject, data, at)
     SELECT gen_random_uuid(), before + n, $3, 'workspace/w', jsonb_build_object('changed', jsonb_build_array((n - 1)::text)),
       $1::timestamptz + make_interval(secs => seconds)
     FROM moved, unnest($2::int[]) WITH ORDINALITY AS given (seconds, n)`,
    [start, after, type],
  );

/** Sends the events of the period again, to a new webhook, until the end of the redelivery. */
async function redeliver(from: Date, to: Date): Promise<void> {
  const webhook = { url: receiver.url, types: ['workspace.updated'] };
  const { id } = (await admin.post<{ id: string }>('/api/webhooks', webhook)).body;
  expect((await admin.post(`/api/webhooks/${id}/redeliver`, { from, to })).status).toBe(202);
  await until(async () => (await service.database.query('SELECT FROM webhook_redeliveries')).length === 0);
}

describe('the redelivery of a period', () => {
  test('contains its events whose seq is late, and none from before or after', async () => {
    const from = service.clock.now();
    const to = service.clock.in(60);
    await store(from, { after: [-1, 61, 0, 60, 59] });
    await pass(DAY);
    await redeliver(from, to);
    expect(numbersOf(receiver.received)).toEqual([2, 4]);
  });

  test('reads few of the events before and after it', async () => {
    const start = service.clock.now();
    const others = Array.from({ length: 10_000 }, (_, n) => 10 * n);
    await store(start, { type: 'report.retired', after: others.slice(0, 8500) });
    await store(start, { after: [85_000, 85_000] });
    await store(start, { type: 'report.retired', after: others.slice(8500) });
    await pass(2 * DAY);
    // The planner chooses by the share of the period, whose place among the others it does not know.
    await service.database.query('ANALYZE events');
    const at = (seconds: number): Date => new Date(start.getTime() + seconds * 1000);
    const sent = await statements.during(() => redeliver(at(80_000), at(90_000)));
    expect(numbersOf(receiver.received)).toEqual([0, 1]);
    const explaining = await explainingConnection(service);
    const read: number[] = [];
    // Those with a period: another webhook reads what it has to send.
    const ofPeriod = sent.filter(
      ({ text, values }) => /FROM "?events"?\s/.test(text) && values.some((value) => value instanceof Date),
    );
    for (const each of ofPeriod) read.push(await mostRowsRead(explaining, each));
    await explaining.end();
    expect(read.length).toBeGreaterThan(0);
    expect(Math.max(...read)).toBeLessThan(3000);
  });

  test('stores how far it has searched for an event of the types of the webhook', async () => {
    const start = service.clock.now();
    const to = service.clock.in(1);
    await store(start, { type: 'report.retired', after: Array.from({ length: 45_000 }, () => 0) });
    await store(start, { after: [0] });
    await pass(DAY);
    const search = jest.spyOn(service.app.get(WebhookEventsService), 'nextOf');
    await redeliver(start, to);
    const positions = search.mock.calls.map(([{ position }]) => Number(position));
    expect(numbersOf(receiver.received)).toEqual([0]);
    expect(positions.map((position) => position - (positions[0] ?? 0))).toEqual([0, 20_000, 40_000, 45_001]);
  });
});
