import type { OpenAPIObject } from '#openapi';
import { eventFields } from '../events/outbox/event-fields.js';
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

const payloadOf = (type: EventType): Schema => ({
  type: 'object',
  properties: {
    type: { type: 'string', const: type },
    timestamp: { type: 'string', format: 'date-time', description: 'When the change was made.' },
    data: dataSchemaOf(type),
  },
  required: ['type', 'timestamp', 'data'],
});

const operationOf = (type: EventType): Schema => ({
  post: {
    operationId: `Event_${type}`,
    summary: eventTypes[type].description,
    description: eventTypes[type].description,
    tags: ['events'],
    security: [],
    requestBody: { required: true, content: { 'application/json': { schema: payloadOf(type) } } },
    responses: { '204': { description: 'The event was received.' } },
  },
});

/** Every type of event as an OpenAPI 3.1 webhook. */
export const eventWebhooks = (): NonNullable<OpenAPIObject['webhooks']> =>
  Object.fromEntries(eventTypeNames.map((type) => [type, operationOf(type)]));
