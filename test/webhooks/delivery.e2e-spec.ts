import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook as Verifier } from 'standardwebhooks';
import { WebhookCleanupService } from '../../src/events/webhooks/webhook-cleanup.service.js';
import { JobsService } from '../../src/platform/jobs/jobs.service.js';
import type { User } from '../../src/users/user.entity.js';
import type { Client } from '../support/client.js';
import { processesOfTest } from '../support/processes-of-test.js';
import { type Service, startService } from '../support/service.js';
import { until, untilPasses } from '../support/until.js';
import { numbersOf, writeEvents } from './events.js';
import { accept, isSignedBy, type Received, type Receiver, refuse, startReceiver } from './receiver.js';

const endsWithTest = processesOfTest();

interface Webhook {
  id: string;
  status: string;
  disabled_reason: string | null;
  failing_since: string | null;
  next_attempt_at: string | null;
  secret: string;
}

interface Delivery {
  id: string;
  event_id: string;
  kind: string;
  attempt: number;
  status: string;
  status_code: number | null;
  error: string | null;
  duration_ms: number;
  at: string;
  next_attempt_at: string | null;
}

const HOUR = 3600;
const DAY = 24 * HOUR;

let service: Service;
let ada: User;
let admin: Client;
let receiver: Receiver;

beforeAll(async () => {
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
});
afterAll(() => service.close());
beforeEach(async () => {
  receiver = await startReceiver();
  ada = await service.factory.admin();
  admin = await service.as(ada);
});
afterEach(async () => {
  // A delivery under way locks rows in another order.
  await untilPasses(() => service.database.query('DELETE FROM webhooks'));
  await receiver.close();
});

/** Lets time pass. Tokens expire in it. */
async function pass(seconds: number): Promise<void> {
  service.clock.advance(seconds);
  admin = await service.as(ada);
}

const add = async (types: string[] = ['workspace.updated']): Promise<Webhook> =>
  (await admin.post<Webhook>('/api/webhooks', { url: receiver.url, types })).body;
const get = async (id: string): Promise<Webhook> => (await admin.get<Webhook>(`/api/webhooks/${id}`)).body;
const deliveriesOf = async (id: string): Promise<Delivery[]> =>
  (await admin.get<{ deliveries: Delivery[] }>(`/api/webhooks/${id}/deliveries?sort=at`)).body.deliveries;
const write = (from: number, count: number) => writeEvents(service.app, from, count);
const arrived = (count: number) => until(() => receiver.accepted().length >= count && receiver.accepted());
/** Attempts of the service until now. */
const attempts = (count: number) => until(async () => receiver.received.length >= count);
/** Until the outcome of the last attempt is stored. */
const stored = (id: string, count: number) =>
  until(async () => {
    const found = await deliveriesOf(id);
    return found.length >= count && found;
  });

async function isAcceptedByPython(secret: string, { headers, raw }: Received): Promise<boolean> {
  const child = endsWithTest(
    spawn('python3', ['test/webhooks/verify.py'], { stdio: ['pipe', 'inherit', 'inherit'] }),
  );
  child.stdin.end(JSON.stringify({ secret, headers, body: raw }));
  const [code] = (await once(child, 'exit')) as [number];
  return code === 0;
}

describe('a delivery', () => {
  // The first test: both verify the time, too, which the other ones advance.
  test('is verified by the library and by another language', async () => {
    const { secret } = await add();
    await write(1, 1);
    const [received] = await arrived(1);
    if (received === undefined) throw new Error('nothing received');
    expect(new Verifier(secret).verify(received.raw, received.headers)).toEqual(received.body);
    expect(await isAcceptedByPython(secret, received)).toBe(true);
    const other = (await add()).secret;
    expect(await isAcceptedByPython(other, received)).toBe(false);
    expect(received.headers['content-type']).toBe('application/json');
  });

  test('contains type, time and data of the event, whose id is the webhook-id', async () => {
    await add(['group.created']);
    const { body: group } = await admin.post<{ id: string }>('/api/groups', { name: 'Sales' });
    const [received] = await arrived(1);
    expect(received?.body).toEqual({
      type: 'group.created',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: { group_id: group.id, actor_id: expect.any(String) },
    });
    const rows = await service.database.query('SELECT id FROM events WHERE subject = $1', [
      `group/${group.id}`,
    ]);
    expect(rows).toEqual([{ id: received?.id }]);
  });

  test('of all types in their order, without types; events before the webhook are not sent', async () => {
    await write(1, 3);
    await until(
      async () => (await service.database.query('SELECT FROM events WHERE seq IS NULL')).length === 0,
    );
    await add([]);
    await write(4, 3);
    await until(() => numbersOf(receiver.received).length === 3);
    expect(numbersOf(receiver.received)).toEqual([4, 5, 6]);
  });

  test('has the signatures of both secrets for 24 hours after a roll', async () => {
    const webhook = await add();
    const path = `/api/webhooks/${webhook.id}/secrets`;
    const rolled = (await admin.post<{ secret: string; previous_expires_at: string }>(path)).body;
    await write(1, 1);
    const [both] = (await arrived(1)) as [Received];
    expect([webhook.secret, rolled.secret].map((secret) => isSignedBy(secret, both))).toEqual([true, true]);
    await pass(DAY + 1);
    await write(2, 1);
    const later = (await arrived(2))[1] as Received;
    expect([webhook.secret, rolled.secret].map((secret) => isSignedBy(secret, later))).toEqual([false, true]);
  });

  test('a second roll ends the oldest secret at once', async () => {
    const webhook = await add();
    const path = `/api/webhooks/${webhook.id}/secrets`;
    const second = (await admin.post<{ secret: string }>(path)).body.secret;
    const third = (await admin.post<{ secret: string }>(path)).body.secret;
    await write(1, 1);
    const [received] = (await arrived(1)) as [Received];
    const secrets = [webhook.secret, second, third];
    expect(secrets.map((secret) => isSignedBy(secret, received))).toEqual([false, true, true]);
  });
});

/** Until the mails about a disabled webhook are sent or dropped. */
const mailed = (id: string) =>
  until(async () => {
    const sql = `SELECT bool_and(state = 'completed') AS done FROM pgboss.job WHERE data ->> 'webhook_id' = $1`;
    const [row] = await service.database.query<{ done: boolean }[]>(sql, [id]);
    return row?.done;
  });

/** The id of a webhook that is disabled, because its receiver returned 410. */
async function addGone(): Promise<string> {
  const { id } = await add();
  receiver.react(refuse(410));
  await write(1, 1);
  await until(async () => (await get(id)).disabled_reason === 'gone');
  await mailed(id);
  receiver.react(accept);
  return id;
}

/** Sends the mail about its disabling at a former host. */
async function mailLater(id: string, { id: recipient }: User): Promise<void> {
  const job = {
    webhook_id: id,
    occasion: recipient,
    reason: 'gone',
    host: 'former.example.com',
    since: service.clock.now(),
    recipient_id: recipient,
  };
  await service.database.transaction((tx) => service.app.get(JobsService).send(tx, 'webhook_mail', job));
  await mailed(id);
}

describe('a failed attempt', () => {
  test('is repeated on the schedule with the same id and body, and later events wait', async () => {
    const { id } = await add();
    receiver.react(refuse(500));
    await write(1, 3);
    const delays = [5, 300, 1800, 2 * HOUR, 5 * HOUR, 10 * HOUR, 10 * HOUR, 10 * HOUR];
    for (const [index, delay] of delays.entries()) {
      await attempts(index + 1);
      // On a slow machine the first delay may pass by itself.
      const last = (await stored(id, index + 1))[index];
      const wait = (Date.parse(last?.next_attempt_at ?? '') - Date.parse(last?.at ?? '')) / 1000;
      // From the end of the attempt.
      expect([index, wait > delay - 1 && wait < delay + 60]).toEqual([index, true]);
      await pass(delay + 1);
    }
    await attempts(delays.length + 1);
    const bodies = new Set(receiver.received.map(({ id: event, raw }) => `${event} ${raw}`));
    expect(bodies.size).toBe(1);
    expect(await get(id)).toMatchObject({ status: 'active', failing_since: expect.any(String) });
    receiver.react(accept);
    await pass(10 * HOUR + 1);
    expect(numbersOf(await arrived(3))).toEqual([1, 2, 3]);
    expect(await get(id)).toMatchObject({ failing_since: null, next_attempt_at: null });
  });

  test('Retry-After extends the delay', async () => {
    const { id } = await add();
    receiver.react(refuse(429, { 'retry-after': '120' }));
    await write(1, 1);
    const [delivery] = await stored(id, 1);
    const wait = Date.parse(delivery?.next_attempt_at ?? '') - Date.parse(delivery?.at ?? '');
    expect(wait).toBeGreaterThanOrEqual(119_000);
    expect(wait).toBeLessThan(240_000);
  });

  test('a receiver has 15 seconds to respond; then the attempt has failed', async () => {
    const { id } = await add();
    receiver.react(() => undefined);
    await write(1, 1);
    const [delivery] = await stored(id, 1);
    expect(delivery).toMatchObject({ status: 'failed', error: 'timeout', status_code: null });
    expect(delivery?.duration_ms).toBeGreaterThanOrEqual(14_900);
    receiver.react(accept);
    await pass(6);
    expect(numbersOf(await arrived(1))).toEqual([1]);
  });

  test('a successful ping ends the wait', async () => {
    const { id } = await add();
    receiver.react(refuse(500));
    await write(1, 1);
    await stored(id, 1);
    await pass(6);
    // The next attempt is in five minutes.
    await stored(id, 2);
    receiver.react(accept);
    await admin.post(`/api/webhooks/${id}/ping`);
    await until(() => numbersOf(receiver.accepted()).length === 1);
  });

  test('with 410 disables the webhook at once; after an activation it continues', async () => {
    const { id } = await add();
    receiver.react(refuse(410));
    await write(1, 2);
    await until(async () => (await get(id)).status === 'disabled');
    expect(await get(id)).toMatchObject({ disabled_reason: 'gone' });
    receiver.react(accept);
    await pass(DAY);
    await write(3, 1);
    expect(receiver.received).toHaveLength(1);
    await admin.patch(`/api/webhooks/${id}`, { status: 'active' });
    expect(numbersOf(await arrived(3))).toEqual([1, 2, 3]);
  });

  test('of a former URL does not disable the webhook at its new one', async () => {
    const { id } = await add();
    const next = receiver.url.replace('/hooks', '/next');
    let release = (): void => undefined;
    const isMoved = new Promise<void>((resolve) => (release = resolve));
    receiver.react(async (response) => {
      await isMoved;
      response.writeHead(410).end();
    });
    await write(1, 1);
    await attempts(1);
    receiver.react(accept);
    await admin.patch(`/api/webhooks/${id}`, { url: next });
    expect(numbersOf(await arrived(1))).toEqual([1]);
    release();
    await stored(id, 2);
    expect(await get(id)).toMatchObject({ status: 'active', failing_since: null });
  });

  test('ends with a change of types: an old failure does not count for other events', async () => {
    const { id } = await add();
    receiver.react(refuse(500));
    await write(1, 1);
    await stored(id, 1);
    await admin.patch(`/api/webhooks/${id}`, { types: ['group.created'] });
    expect(await get(id)).toMatchObject({ failing_since: null, next_attempt_at: null });
    await pass(6 * DAY);
    await admin.post('/api/groups', { name: 'Analysts' });
    await stored(id, 2);
    expect(await get(id)).toMatchObject({ status: 'active', failing_since: expect.any(String) });
  });

  test('after 5 days the webhook is disabled, with mail to the admins, audit and an event', async () => {
    const german = await service.factory.admin({ locale: 'de' });
    const { id } = await add();
    receiver.react(refuse(500));
    await write(1, 1);
    let count = 1;
    for (await stored(id, count); (await get(id)).status === 'active'; await stored(id, count)) {
      await pass(10 * HOUR + 1);
      count += 1;
    }
    const times = (await deliveriesOf(id)).map(({ at }) => Date.parse(at));
    expect(Math.max(...times) - Math.min(...times)).toBeGreaterThanOrEqual(5 * DAY * 1000);
    expect(Math.max(...times.slice(0, -1)) - Math.min(...times)).toBeLessThan(5 * DAY * 1000);
    expect(await get(id)).toMatchObject({ status: 'disabled', disabled_reason: 'failing' });
    const mail = await service.mailbox.mailTo(german.email);
    expect(mail.subject).toBe(`Der Webhook an ${receiver.host} ist deaktiviert`);
    const { body } = await admin.get<{ audit_events: object[] }>(
      `/api/audit-events?action=webhook_disabled&target_id=${id}`,
    );
    expect(body.audit_events).toMatchObject([
      {
        outcome: 'failed',
        actor: null,
        details: { reason: 'failing', host: receiver.host, status_code: 500 },
      },
    ]);
    const events = await service.database.query(
      `SELECT data FROM events WHERE type = 'webhook.disabled' AND data ->> 'webhook_id' = $1`,
      [id],
    );
    expect(events).toMatchObject([{ data: { webhook_id: id, reason: 'failing' } }]);
  });

  test('a mail that is sent later does not reach a former admin', async () => {
    const former = await service.factory.user();
    await mailLater(await addGone(), former);
    expect(await service.mailbox.mailsTo(former.email)).toEqual([]);
  });

  test('a mail that is sent later names the host and the cause of the disabling', async () => {
    const id = await addGone();
    await admin.patch(`/api/webhooks/${id}`, { url: `${receiver.url}/new` });
    const reader = await service.factory.admin();
    await mailLater(id, reader);
    const mail = await service.mailbox.mailTo(reader.email);
    expect(mail.subject).toBe('The webhook to former.example.com is disabled');
    expect(mail.text).toContain('(410)');
  });

  test('a mail that is sent later does not name the cause of an earlier disabling', async () => {
    const id = await addGone();
    await admin.patch(`/api/webhooks/${id}`, { status: 'active' });
    await admin.patch(`/api/webhooks/${id}`, { status: 'disabled' });
    const reader = await service.factory.admin();
    await mailLater(id, reader);
    expect(await service.mailbox.mailsTo(reader.email)).toEqual([]);
  });
});

describe('a redelivery', () => {
  test('by id sends one event again with the same id', async () => {
    const { id } = await add();
    await write(1, 3);
    await arrived(3);
    const second = (await stored(id, 3))[1] as Delivery;
    const { status, body } = await admin.post(`/api/webhooks/${id}/deliveries/${second.id}/redeliver`);
    expect([status, body.event_id]).toEqual([202, second.event_id]);
    await attempts(4);
    expect(receiver.received[3]?.id).toBe(second.event_id);
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 2]);
    expect((await stored(id, 4)).at(-1)).toMatchObject({ kind: 'redelivery', status: 'succeeded' });
  });

  test('of a period sends its events again, in order, and no others', async () => {
    const { id } = await add();
    await write(1, 2);
    await pass(HOUR);
    const from = service.clock.now();
    await write(3, 4);
    const to = service.clock.in(1);
    await pass(HOUR);
    await write(7, 2);
    await arrived(8);
    await admin.post(`/api/webhooks/${id}/redeliver`, { from, to });
    await attempts(12);
    expect(numbersOf(receiver.received)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 3, 4, 5, 6]);
    await until(async () => (await service.database.query('SELECT FROM webhook_redeliveries')).length === 0);
  });

  test('whose outcome at a former URL arrives late continues at the new one', async () => {
    const { id } = await add();
    await write(1, 1);
    await arrived(1);
    const [first] = await stored(id, 1);
    let release = (): void => undefined;
    const isMoved = new Promise<void>((resolve) => (release = resolve));
    receiver.react(async (response) => {
      await isMoved;
      response.writeHead(410).end();
    });
    await admin.post(`/api/webhooks/${id}/deliveries/${first?.id}/redeliver`);
    await attempts(2);
    receiver.react(refuse(500));
    await admin.patch(`/api/webhooks/${id}`, { url: receiver.url.replace('/hooks', '/next') });
    await attempts(3);
    release();
    await stored(id, 3);
    receiver.react(accept);
    await pass(HOUR);
    await until(async () => (await deliveriesOf(id)).at(-1)?.status === 'succeeded');
    expect(await service.database.query('SELECT FROM webhook_redeliveries')).toEqual([]);
  });

  test('that fails delays no event, and is repeated', async () => {
    const { id } = await add();
    await write(1, 1);
    await arrived(1);
    const [first] = await stored(id, 1);
    receiver.react(
      (response, { body }) =>
        void response.writeHead(numbersOf([{ body } as Received])[0] === 1 ? 500 : 204).end(),
    );
    await admin.post(`/api/webhooks/${id}/deliveries/${first?.id}/redeliver`);
    await attempts(2);
    await write(2, 2);
    await until(() => numbersOf(receiver.accepted()).length === 3);
    receiver.react(accept);
    await pass(6);
    await until(() => numbersOf(receiver.received).filter((number) => number === 1).length === 3);
  });
});

test('attempts are deleted after 30 days', async () => {
  const { id } = await add();
  await write(1, 1);
  await stored(id, 1);
  await pass(31 * DAY);
  await service.app.get(WebhookCleanupService).remove();
  const rows = await service.database.query('SELECT kind FROM webhook_deliveries');
  expect(rows).not.toContainEqual({ kind: 'event' });
});
