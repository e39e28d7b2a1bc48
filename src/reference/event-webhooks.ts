import type { OpenAPIObject } from '#openapi';
import { eventFields } from '../events/outbox/event-fields.js';
import { PING } from '../events/webhooks/webhook-ping.service.js';
import { type EventType, eventTypeNames, eventTypes, fieldsOf } from '../events/outbox/event-types.js';

type Schema = Record<string, unknown>;

const orNull = (schema: Schema): Schema => ({ ...schema, type: [schema.type, 'null'] });

/** Schema of the data of an event of this type. */
export function dataSchemaOf(type: EventType): Schema {
  const properties = fieldsOf(type).map(({ name, isNullable }) => {
    const { schema, description } = eventFields[name];
    return [name, { ...(isNullable ? orNull(schema) : schema), description }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties) as Schema,
    required: fieldsOf(type).map(({ name }) => name),
  };
}

const payloadOf = (type: string, data: Schema): Schema => ({
  type: 'object',
  properties: {
    type: { type: 'string', const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
    data,
  },
  required: ['type', 'timestamp', 'data'],
});

const operationOf = (type: string, description: string, data: Schema): Schema => ({
  post: {
    operationId: `Event_${type}`,
    summary: description,
    description,
    tags: ['events'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: payloadOf(type, data) } } },
    responses: { '204': { description: 'The event was received.' } },
  },
});

const ping = operationOf(PING, 'An admin tests a webhook. No event: it is sent to this webhook only.', {
  type: 'object',
  properties: {
    webhook_id: { type: 'string', format: 'uuid', description: eventFields.webhook_id.description },
  },
  required: ['webhook_id'],
});

/** Every type of message as an OpenAPI 3.1 webhook. */
export const eventWebhooks = (): NonNullable<OpenAPIObject['webhooks']> => ({
  ...Object.fromEntries(
    eventTypeNames.map((type) => [type, operationOf(type, eventTypes[type].description, dataSchemaOf(type))]),
  ),
  [PING]: ping,
});
