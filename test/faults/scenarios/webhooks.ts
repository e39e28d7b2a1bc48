import { setTimeout as sleep } from 'node:timers/promises';
import { accept, type Receiver, refuse, startReceiver } from '../../webhooks/receiver.js';
import type { Context, Scenario } from '../scenario.js';

/** Milliseconds that the receiver takes for each event, so that a fault interrupts a delivery. */
const RESPONSE_MS = 20;
/** A lease of a killed replica expires in between. */
const COMPLETE_SECONDS = 90;

/** In the order of their creation. */
let receivers: { slow: Receiver; failing: Receiver } | undefined;

async function post<T>(url: string, body: object, token?: string): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return (await response.json()) as T;
}

/** A slow and a failing receiver of all events from now on. */
async function addReceivers({ cluster }: Context): Promise<void> {
  const [slow, failing] = [await startReceiver(), await startReceiver()];
  receivers = { slow, failing };
  slow.react(async (response, received) => {
    await sleep(RESPONSE_MS);
    await accept(response, received);
  });
  failing.react(refuse(503));
  const { url } = cluster.balancer;
  const { access_token } = await post<{ access_token: string }>(
    `${url}/api/auth/token`,
    cluster.secrets.admin,
  );
  for (const each of [slow, failing]) await post(`${url}/api/webhooks`, { url: each.url }, access_token);
  await sleep(2_000);
}

/** All committed events, in their order. */
const committed = ({ cluster }: Context): Promise<{ id: string; type: string }[]> =>
  cluster.databases.admin(async (client) => {
    const { rows } = await client.query<{ id: string; type: string }>(
      'SELECT id, type FROM events ORDER BY seq NULLS LAST',
    );
    return rows;
  });

/** Ids of the events that the nth webhook must receive: from its first one, which is not after its own creation. */
async function expected(context: Context, nth: number, [first]: readonly string[]): Promise<string[]> {
  const rows = await committed(context);
  const created = rows.flatMap(({ type }, index) => (type === 'webhook.created' ? [index] : []))[nth] ?? 0;
  const start = rows.findIndex(({ id }) => id === first);
  return rows.slice(start < 0 ? created : Math.min(start, created)).map(({ id }) => id);
}

async function expectAll(context: Context, name: string, nth: number, receiver: Receiver): Promise<void> {
  const found = (): string[] => receiver.accepted().map(({ id }) => id);
  const end = Date.now() + COMPLETE_SECONDS * 1000;
  let ids = await expected(context, nth, found());
  while (Date.now() < end && found().length < ids.length) {
    await sleep(250);
    ids = await expected(context, nth, found());
  }
  const lost = ids.filter((id) => !found().includes(id)).length;
  context.expect(`no event is lost: ${name}`, lost === 0 && ids.length > 20, `${lost} of ${ids.length}`);
  context.expect(
    `events arrive in their order: ${name}`,
    ids.join() === found().join(),
    `${found().length} events`,
  );
  const repeated = receiver.received.length - ids.length;
  context.notes.push(`${name} receiver: ${ids.length} events delivered, ${repeated} attempts repeated`);
}

/** The slow receiver gets everything while the other one fails, which gets everything once it works again. */
async function expectEverything(context: Context): Promise<void> {
  if (receivers === undefined) throw new Error('There are no receivers');
  const { slow, failing } = receivers;
  await expectAll(context, 'slow', 0, slow);
  const attempted = new Set(failing.received.map(({ id }) => id)).size;
  context.expect('a failing receiver gets only its first event', attempted === 1, `${attempted} events`);
  failing.react(accept);
  await context.cluster.databases.admin((client) =>
    client.query('UPDATE webhooks SET next_attempt_at = now()'),
  );
  await expectAll(context, 'failing', 1, failing);
  await Promise.all([slow.close(), failing.close()]);
}

const allowed = { env: { WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' } };

/** Faults while webhooks are delivered. */
export const ofWebhooks: Scenario[] = [
  {
    id: 'F35',
    title: 'kill -9 of each replica in turn while webhooks are delivered to a slow and a failing receiver',
    rate: 20,
    seconds: 40,
    at: 3,
    cluster: allowed,
    success: { share: 0.97 },
    fault: async (context) => {
      await addReceivers(context);
      for (const { name } of context.cluster.replicas.slice()) {
        const replica = context.cluster.replicas.find((each) => each.name === name);
        if (replica === undefined) continue;
        replica.child.signal('SIGKILL');
        await replica.child.waitForExit();
        await sleep(500);
        await context.cluster.restart(replica);
      }
    },
    after: expectEverything,
  },
  {
    id: 'F36',
    title: 'kill -9 of the postmaster while webhooks are delivered to a slow and a failing receiver',
    rate: 20,
    seconds: 34,
    at: 3,
    cluster: allowed,
    fault: async (context) => {
      await addReceivers(context);
      const { primary } = context.cluster.databases;
      primary.child?.signal('SIGKILL');
      await primary.child?.waitForExit();
      await sleep(1_500);
      await primary.start();
    },
    after: expectEverything,
  },
];
