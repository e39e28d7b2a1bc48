import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { WebhookDispatcherService } from '../../src/events/webhooks/webhook-dispatcher.service.js';
import type { Client } from '../support/client.js';
import {
  type InProcessReplica,
  type ReplicaProcess,
  startInProcessReplica,
  startReplicaProcess,
} from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { writeEvents } from './events.js';
import { accept, isSignedBy, type Receiver, refuse, startReceiver } from './receiver.js';

jest.setTimeout(360_000);

interface Webhook {
  id: string;
  secret: string;
}

const HOUR = 3600;

let slow: Receiver;
let failing: Receiver;
let service: Service | undefined;
const replicas: InProcessReplica[] = [];
const processes: ReplicaProcess[] = [];

beforeEach(async () => {
  [slow, failing] = [await startReceiver(), await startReceiver()];
});
afterEach(async () => {
  await Promise.all(processes.splice(0).map((one) => one.close()));
  for (const replica of replicas.splice(0)) await replica.close();
  await service?.close();
  service = undefined;
  await Promise.all([slow.close(), failing.close()]);
});

const add = async (admin: Client, { url }: Receiver): Promise<Webhook> =>
  (await admin.post<Webhook>('/api/webhooks', { url, types: ['workspace.updated'] })).body;

/** Ids of all committed events, in the order of their seq. */
async function expected({ database }: Service): Promise<string[]> {
  const rows = await database.query<{ id: string }[]>(
    `SELECT id FROM events WHERE type = 'workspace.updated' ORDER BY seq`,
  );
  return rows.map(({ id }) => id);
}

const seqsAssigned = ({ database }: Service) =>
  until(async () => (await database.query<[]>('SELECT FROM events WHERE seq IS NULL')).length === 0);

/** Ends connections of the service: half of them, at random. */
const endConnections = async ({ database }: Service): Promise<void> => {
  await database
    .query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND random() < 0.5`,
    )
    .catch(() => undefined);
};

/** A write whose connection is ended may or may not be committed: the table of events decides. */
async function writeThrough(app: Service['app'], from: number, count: number): Promise<void> {
  for (let number = from; number < from + count; number += 1) {
    await writeEvents(app, number, 1).catch(() => undefined);
    await sleep(20);
  }
}

/** A receiver takes some time for each event, and sometimes loses its acknowledgement. */
const hesitate = (receiver: Receiver, ms: number): void =>
  receiver.react(async (response, received) => {
    await sleep(Math.random() * ms);
    if (Math.random() < 0.03) response.destroy();
    else await accept(response, received);
  });

const firstIds = (receiver: Receiver): string[] => receiver.accepted().map(({ id }) => id);

test('three replicas deliver everything in order: to a slow receiver, and to one that fails for a day', async () => {
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: `${slow.host},${failing.host}` });
  for (let index = 0; index < 2; index += 1) replicas.push(await startInProcessReplica(service));
  const { clock } = service;
  const running = service;
  const admin = await service.asAdmin();
  const webhooks = [await add(admin, slow), await add(admin, failing)] as const;
  failing.react(refuse(503));
  hesitate(slow, 30);

  const apps = [service, ...replicas].map(({ app }) => app);
  const writers = Promise.all(apps.map((app, index) => writeThrough(app, index * 1000, 60)));
  for (let round = 0; round < 8; round += 1) {
    await sleep(250);
    await endConnections(running);
  }
  await writers;
  await seqsAssigned(service);
  const ids = await expected(service);
  expect(ids.length).toBeGreaterThan(120);

  // The slow receiver, whose connections break, needs its retries; the other one fails meanwhile.
  await until(async () => {
    if (firstIds(slow).length < ids.length) clock.advance(6);
    await sleep(200);
    return firstIds(slow).length === ids.length;
  }, 180);
  for (let hours = 0; hours < 24; hours += 1) {
    clock.advance(HOUR);
    await sleep(30);
  }
  expect(failing.accepted()).toEqual([]);
  hesitate(failing, 5);
  await until(async () => {
    clock.advance(HOUR);
    await sleep(300);
    return firstIds(failing).length === ids.length;
  }, 180);

  expect(firstIds(slow)).toEqual(ids);
  expect(firstIds(failing)).toEqual(ids);
  for (const [index, receiver] of [slow, failing].entries()) {
    const { secret } = webhooks[index] as Webhook;
    expect(receiver.received.every((received) => isSignedBy(secret, received))).toBe(true);
  }
});

test('kill -9 of the replica that delivers loses nothing and changes no order', async () => {
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: slow.host }, (testing) =>
    testing.overrideProvider(WebhookDispatcherService).useValue({}),
  );
  const admin = await service.asAdmin();
  await add(admin, slow);
  slow.react(async (response, received) => {
    await sleep(50);
    await accept(response, received);
  });
  const first = await startReplicaProcess(service.environment);
  processes.push(first);
  await writeEvents(service.app, 0, 120);
  await until(() => firstIds(slow).length > 20);
  first.process.kill('SIGKILL');
  expect(firstIds(slow).length).toBeLessThan(120);
  processes.push(
    await startReplicaProcess(service.environment),
    await startReplicaProcess(service.environment),
  );
  await seqsAssigned(service);
  const ids = await expected(service);
  await until(() => firstIds(slow).length === ids.length, 180);
  expect(ids).toHaveLength(120);
  expect(firstIds(slow)).toEqual(ids);
  // At most the event of the killed attempt is sent twice.
  expect(slow.received.length - ids.length).toBeLessThanOrEqual(1);
});

test('a receiver that never responds delays no other', async () => {
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: `${slow.host},${failing.host}` });
  const admin = await service.asAdmin();
  await add(admin, failing);
  await add(admin, slow);
  let hasEnded = false;
  failing.react((response) => void response.on('close', () => (hasEnded = true)));
  await writeEvents(service.app, 0, 10);
  await until(() => firstIds(slow).length === 10);
  expect([failing.received.length, hasEnded]).toEqual([1, false]);
});
