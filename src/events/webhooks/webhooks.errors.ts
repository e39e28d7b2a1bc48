import { Problem, problem } from '../../core/problems/problem.js';

export class WebhookNotFound extends problem('webhook_not_found', 'No webhook has this id.') {}

export class DeliveryNotFound extends problem(
  'webhook_delivery_not_found',
  'This webhook has no delivery with this id.',
) {}

export class TooManyWebhooks extends Problem {
  constructor(max: number) {
    super('too_many_webhooks', `There are already ${max} webhooks.`);
  }
}

export class TooManyRedeliveries extends Problem {
  constructor(max: number) {
    super('too_many_redeliveries', `This webhook already has ${max} redeliveries in progress.`);
  }
}

export class WebhookDisabled extends problem('webhook_disabled', 'Enable the webhook first.') {}

export class EventNotRetained extends problem(
  'event_not_retained',
  'The event of this delivery is no longer stored, or it was a ping.',
) {}
