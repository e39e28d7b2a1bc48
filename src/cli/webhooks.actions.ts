import type { INestApplicationContext } from '@nestjs/common';
import { validId } from '../core/validation/path-id.js';
import {
  CreateWebhookDto,
  ListDeliveriesQuery,
  ListWebhooksQuery,
  NewWebhookDto,
  RedeliverPeriodDto,
  RedeliveryDto,
  WebhookDeliveryDto,
  WebhookDto,
  WebhookSecretDto,
} from '../events/webhooks/dto/webhook.dto.js';
import { WebhookDeliveriesService } from '../events/webhooks/webhook-deliveries.service.js';
import { WebhookPingService } from '../events/webhooks/webhook-ping.service.js';
import { WebhookSecretsService } from '../events/webhooks/webhook-secrets.service.js';
import { WebhooksService } from '../events/webhooks/webhooks.service.js';
import { exitCodes, Failure } from './exit-codes.js';
import { commandLine, everyPage, table } from './output.js';
import { action, validated } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  type: string[];
  limit: string;
  from?: string;
  to?: string;
}

const webhooksOf = (app: INestApplicationContext) => app.get(WebhooksService);
const deliveriesOf = (app: INestApplicationContext) => app.get(WebhookDeliveriesService);

export const list = action(async (app) => {
  const query = new ListWebhooksQuery();
  const found = await everyPage((cursor) => webhooksOf(app).list(commandLine, { ...query, cursor }));
  const shown = found.map(WebhookDto.from);
  const lines = shown.map((webhook) => ({ ...webhook, types: webhook.types.join(' ') || 'all' }));
  const columns = ['id', 'url', 'types', 'status', 'failing_since'] as const;
  return [{ webhooks: shown }, table(lines, columns)];
});

export const add = action(async (app, { type: types }: Options, url: string) => {
  const body = await validated({ url, types }, CreateWebhookDto);
  const { webhook, secret } = await webhooksOf(app).create(await systemActor(app), body);
  return [NewWebhookDto.with(webhook, secret), `id      ${webhook.id}\nsecret  ${secret.secret}`];
});

export const ping = action(async (app, _: object, id: string) => {
  const pings = app.get(WebhookPingService);
  const shown = WebhookDeliveryDto.from(await pings.ping(await systemActor(app), validId(id)));
  const result = shown.status_code === null ? '' : ` with status ${shown.status_code}`;
  if (shown.error !== null)
    throw new Failure(exitCodes.refused, shown.error, `The ping failed${result || `: ${shown.error}`}.`);
  return [shown, `The ping was accepted${result} in ${shown.duration_ms} ms.`];
});

export const deliveries = action(async (app, { limit }: Options, id: string) => {
  const query = await validated({ limit }, ListDeliveriesQuery);
  const { items } = await deliveriesOf(app).list(commandLine, validId(id), query);
  const shown = items.map(WebhookDeliveryDto.from);
  const columns = ['id', 'at', 'event_type', 'kind', 'attempt', 'status', 'status_code', 'error'] as const;
  return [{ deliveries: shown }, table(shown, columns)];
});

export const redeliver = action(async (app, { from, to }: Options, id: string, delivery?: string) => {
  const service = deliveriesOf(app);
  const webhookId = validId(id);
  const found =
    delivery === undefined
      ? await service.redeliverPeriod(
          await systemActor(app),
          webhookId,
          await validated({ from, to }, RedeliverPeriodDto),
        )
      : await service.redeliver(await systemActor(app), webhookId, validId(delivery, 'delivery_id'));
  return [RedeliveryDto.from(found), 'The redelivery is requested.'];
});

export const remove = action(async (app, _: object, id: string) => {
  const webhooks = webhooksOf(app);
  const webhook = await webhooks.get(validId(id));
  await webhooks.remove(await systemActor(app), webhook.id);
  return [WebhookDto.from(webhook), `The webhook to ${webhook.url} is deleted.`];
});

export const roll = action(async (app, _: object, id: string) => {
  const secrets = app.get(WebhookSecretsService);
  const secret = await secrets.roll(await systemActor(app), validId(id));
  return [WebhookSecretDto.of(secret), `secret  ${secret.secret}`];
});
