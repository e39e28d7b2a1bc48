import type { INestApplicationContext } from '@nestjs/common';
import type { Command } from 'commander';
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
import { commandLine, everyPage, print, table } from './output.js';
import { validated, withService } from './service.js';
import { systemActor } from './system-actor.js';

interface Options {
  json: boolean;
  type: string[];
  limit: string;
  from?: string;
  to?: string;
}

const optionsOf = (command: Command): Options => command.optsWithGlobals<Options>();
const webhooksOf = (app: INestApplicationContext) => app.get(WebhooksService, { strict: false });
const deliveriesOf = (app: INestApplicationContext) => app.get(WebhookDeliveriesService, { strict: false });

export const list = (command: Command): Promise<void> =>
  withService(async (app) => {
    const query = new ListWebhooksQuery();
    const found = await everyPage((cursor) => webhooksOf(app).list(commandLine, { ...query, cursor }));
    const shown = found.map(WebhookDto.from);
    const lines = shown.map((webhook) => ({ ...webhook, types: webhook.types.join(' ') || 'all' }));
    const columns = ['id', 'url', 'types', 'status', 'failing_since'] as const;
    print(optionsOf(command).json, { webhooks: shown }, table(lines, columns));
  });

export const add = (url: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, type: types } = optionsOf(command);
    const body = await validated({ url, types }, CreateWebhookDto);
    const { webhook, secret } = await webhooksOf(app).create(await systemActor(app), body);
    print(json, NewWebhookDto.with(webhook, secret), `id      ${webhook.id}\nsecret  ${secret.secret}`);
  });

export const ping = (id: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const pings = app.get(WebhookPingService, { strict: false });
    const shown = WebhookDeliveryDto.from(await pings.ping(await systemActor(app), validId(id)));
    const result = shown.status_code === null ? '' : ` with status ${shown.status_code}`;
    if (shown.error !== null)
      throw new Failure(exitCodes.refused, shown.error, `The ping failed${result || `: ${shown.error}`}.`);
    print(optionsOf(command).json, shown, `The ping was accepted${result} in ${shown.duration_ms} ms.`);
  });

export const deliveries = (id: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, limit } = optionsOf(command);
    const query = await validated({ limit }, ListDeliveriesQuery);
    const { items } = await deliveriesOf(app).list(commandLine, validId(id), query);
    const shown = items.map(WebhookDeliveryDto.from);
    const columns = ['id', 'at', 'event_type', 'kind', 'attempt', 'status', 'status_code', 'error'] as const;
    print(json, { deliveries: shown }, table(shown, columns));
  });

export const redeliver = (id: string, delivery: string | undefined, command: Command): Promise<void> =>
  withService(async (app) => {
    const { json, from, to } = optionsOf(command);
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
    print(json, RedeliveryDto.from(found), 'The redelivery is requested.');
  });

export const remove = (id: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const webhooks = webhooksOf(app);
    const webhook = await webhooks.get(validId(id));
    await webhooks.remove(await systemActor(app), webhook.id);
    print(optionsOf(command).json, WebhookDto.from(webhook), `The webhook to ${webhook.url} is deleted.`);
  });

export const roll = (id: string, command: Command): Promise<void> =>
  withService(async (app) => {
    const secrets = app.get(WebhookSecretsService, { strict: false });
    const secret = await secrets.roll(await systemActor(app), validId(id));
    print(optionsOf(command).json, WebhookSecretDto.of(secret), `secret  ${secret.secret}`);
  });
