import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { WebhookDispatcherService } from '../../src/events/webhooks/webhook-dispatcher.service.js';
import type { Client } from '../support/client.js';
import { type InProcessReplica, startInProcessReplica } from '../support/replicas.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { writeEvents } from './events.js';
import { accept, type Receiver, refuse, startReceiver } from './receiver.js';

interface Delivery {
  id: string;
  kind: string;
  error: string | null;
}

let service: Service;
let replica: InProcessReplica | undefined;
let admin: Client;
let receiver: Receiver;
let id: string;

/** Only the replica delivers. */
beforeEach(async () => {
  receiver = await startReceiver();
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: receiver.host }, (testing) =>
    testing.overrideProvider(WebhookDispatcherService).useValue({}),
  );
  admin = await service.asAdmin();
  const webhook = { url: receiver.url, types: ['workspace.updated'] };
  id = (await admin.post<{ id: string }>('/api/webhooks', webhook)).body.id;
  replica = await startInProcessReplica(service);
});
afterEach(async () => {
  await stop();
  await service.close();
  await receiver.close();
});

async function stop(): Promise<void> {
  const stopped = replica;
  replica = undefined;
  await stopped?.close();
}
const deliveries = async (): Promise<Delivery[]> =>
  (await admin.get<{ deliveries: Delivery[] }>(`/api/webhooks/${id}/deliveries`)).body.deliveries;
const arrived = (count: number) => until(() => receiver.received.length === count);
const failures = async (table: string) =>
  (await service.database.query<{ failures: number }[]>(`SELECT failures FROM ${table}`)).map(
    (row) => row.failures,
  );

describe('an attempt that the shutdown of a replica ends', () => {
  test('is no failure of the receiver', async () => {
    receiver.react(() => undefined);
    await writeEvents(service.app, 1, 1);
    await arrived(1);
    await stop();
    expect(await deliveries()).toEqual([]);
    expect(await failures('webhooks')).toEqual([0]);
    receiver.react(accept);
    await service.database.query('UPDATE webhooks SET leased_until = NULL');
    replica = await startInProcessReplica(service);
    await until(async () => (await deliveries()).length === 1);
    expect(receiver.accepted()).toHaveLength(1);
  });

  test('is no failure of a redelivery', async () => {
    await writeEvents(service.app, 1, 1);
    const [first] = await until(async () => {
      const found = await deliveries();
      return found.length === 1 && found;
    });
    receiver.react(() => undefined);
    await admin.post(`/api/webhooks/${id}/deliveries/${first?.id}/redeliver`);
    await arrived(2);
    await stop();
    expect((await deliveries()).map(({ kind }) => kind)).toEqual(['event']);
    expect(await failures('webhook_redeliveries')).toEqual([0]);
  });
});

test('a response that arrives during the shutdown counts', async () => {
  let respond = (): void => undefined;
  receiver.react((response, received) => {
    respond = () => void refuse(500)(response, received);
  });
  await writeEvents(service.app, 1, 1);
  await arrived(1);
  const stopping = stop();
  respond();
  await stopping;
  expect(await deliveries()).toMatchObject([{ error: 'status' }]);
});
