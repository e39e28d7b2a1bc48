import { Problem } from '../../core/problems/problem.js';

export class WebhookNotFound extends Problem {
  constructor() {
    super('webhook_not_found', 'No webhook has this id.');
  }
}

export class DeliveryNotFound extends Problem {
  constructor() {
    super('webhook_delivery_not_found', 'This webhook has no delivery with this id.');
  }
}

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

export class WebhookDisabled extends Problem {
  constructor() {
    super('webhook_disabled', 'Enable the webhook first.');
  }
}

export class EventNotRetained extends Problem {
  constructor() {
    super('event_not_retained', 'The event of this delivery is no longer stored, or it was a ping.');
  }
}
