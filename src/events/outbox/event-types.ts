import { accountEventTypes } from './account-event-types.js';
import { contentEventTypes } from './content-event-types.js';
import type { Definition, FieldName } from './event-definition.js';
import type { EventField, FieldValue } from './event-fields.js';

/** Every type of event. A type is never renamed; fields may be added. */
export const eventTypes = { ...accountEventTypes, ...contentEventTypes } satisfies Record<
  string,
  Definition<FieldName>
>;

export type EventType = keyof typeof eventTypes;

type FieldsOf<T extends EventType> = 'actor_id?' | (typeof eventTypes)[T]['fields'][number];

/** Data of an event of this type. */
export type EventData<T extends EventType> = {
  [F in FieldsOf<T> as F extends `${infer Name}?` ? Name : F]: F extends `${infer Name}?`
    ? FieldValue<Name & EventField> | null
    : FieldValue<F & EventField>;
};

/** In the order of the documentation. */
export const eventTypeNames = Object.keys(eventTypes) as EventType[];

/** Names of all fields of this type, and whether each may be null. */
export const fieldsOf = (type: EventType): { name: EventField; isNullable: boolean }[] =>
  ['actor_id?', ...eventTypes[type].fields].map((field) => ({
    name: field.replace('?', '') as EventField,
    isNullable: field.endsWith('?'),
  }));
