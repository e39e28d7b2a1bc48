import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { vitrineJson, vitrineProcess } from '../support/cli.js';
import { type Service, startService } from '../support/service.js';
import { until } from '../support/until.js';
import { numbersOf, writeEvents } from '../webhooks/events.js';
import { accept, isSignedBy, type Receiver, refuse, startReceiver } from '../webhooks/receiver.js';

interface Body {
  id: string;
  secret: string;
  webhooks: { id: string; url: string; types: string[] }[];
  deliveries: { id: string; kind: string; status: string }[];
  error: { code: string };
}

let service: Service;
let receiver: Receiver;
let webhook: Body;
const json = (...args: string[]) => vitrineJson<Body>(service.environment, 'webhooks', ...args);

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ WEBHOOK_ALLOWED_HOSTS: receiver.host });
  webhook = (await json('add', receiver.url, '--type', 'workspace.updated')).body;
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

describe('vitrine webhooks', () => {
  test('add prints the secret, and list does not', async () => {
    expect(webhook.secret).toMatch(/^whsec_/);
    const { code, body } = await json('list');
    expect([code, body.webhooks]).toMatchObject([
      0,
      [{ id: webhook.id, url: receiver.url, types: ['workspace.updated'] }],
    ]);
    expect(JSON.stringify(body)).not.toContain('whsec_');
    const { stdout } = await vitrineProcess(service.environment, ['webhooks', 'list']);
    expect(stdout).toContain(webhook.id);
  });

  test('add: exit code 3 for a URL or a type that is not allowed', async () => {
    expect(await json('add', 'https://127.0.0.1/')).toMatchObject({
      code: 3,
      body: { error: { code: 'invalid_request' } },
    });
    expect((await json('add', receiver.url, '--type', 'nothing')).code).toBe(3);
  });

  test('ping: 0 if the receiver accepts it, 3 if not', async () => {
    expect((await json('ping', webhook.id)).code).toBe(0);
    receiver.react(refuse(500));
    expect(await json('ping', webhook.id)).toMatchObject({ code: 3, body: { error: { code: 'status' } } });
    receiver.react(accept);
  });

  test('deliveries, redeliver by id and by period', async () => {
    await writeEvents(service.app, 1, 1);
    await until(() => numbersOf(receiver.received).length === 1);
    const delivery = await until(async () => {
      const { body } = await json('deliveries', webhook.id);
      return body.deliveries.find(({ kind }) => kind === 'event');
    });
    expect(delivery.status).toBe('succeeded');
    expect((await json('redeliver', webhook.id, delivery.id)).code).toBe(0);
    await until(() => numbersOf(receiver.received).length === 2);
    const period = ['--from', '2026-01-01', '--to', '2126-01-01'];
    expect((await json('redeliver', webhook.id, ...period)).code).toBe(0);
    await until(() => numbersOf(receiver.received).length === 3);
    expect((await json('redeliver', webhook.id)).code).toBe(3);
  });

  test('roll: both secrets sign', async () => {
    const { body } = await json('roll', webhook.id);
    expect((await json('ping', webhook.id)).code).toBe(0);
    const last = receiver.received.at(-1);
    if (last === undefined) throw new Error('nothing received');
    expect([webhook.secret, body.secret].map((secret) => isSignedBy(secret, last))).toEqual([true, true]);
  });

  test('remove', async () => {
    expect((await json('remove', webhook.id)).code).toBe(0);
    expect(await json('remove', webhook.id)).toMatchObject({
      code: 3,
      body: { error: { code: 'webhook_not_found' } },
    });
  });
});
