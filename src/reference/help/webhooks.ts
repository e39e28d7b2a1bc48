import type { Topic } from './help.js';

/** Codes for webhooks. */
export const webhooks = {
  webhook_not_found: {
    means: 'No webhook has this id.',
    caller: 'List the webhooks: `GET /api/webhooks`.',
  },
  webhook_delivery_not_found: {
    means: 'The webhook has no delivery with this id. Deliveries are listed for 30 days.',
    caller: 'List the deliveries: `GET /api/webhooks/:id/deliveries`.',
  },
  too_many_webhooks: {
    means: 'There can be 100 webhooks.',
    caller: 'Delete a webhook that is no longer used.',
  },
  too_many_redeliveries: {
    means: 'A webhook can have 1,000 requested redeliveries in progress.',
    caller: 'Wait until they are sent. To send many events again, request one redelivery of a period.',
  },
  webhook_disabled: {
    means: 'A disabled webhook sends nothing except pings.',
    caller:
      'Enable it: `PATCH /api/webhooks/:id` with `{"status":"active"}`. It then delivers what was not delivered.',
  },
  event_not_retained: {
    means: 'Events are stored for 30 days. A ping is not stored.',
    caller: 'Read the current state from the API instead.',
  },
} as const satisfies Topic;
