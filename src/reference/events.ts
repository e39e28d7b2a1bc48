import { eventFields } from '../events/outbox/event-fields.js';
import { type EventType, eventTypeNames, eventTypes, fieldsOf } from '../events/outbox/event-types.js';
import { table } from './markdown.js';

const topics: [title: string, prefixes: readonly string[]][] = [
  ['Users', ['user', 'invitation', 'session']],
  ['Access', ['grant', 'group', 'access_request']],
  ['Reports', ['report', 'embed_token', 'embed_access', 'export', 'saved_view']],
  ['Catalogue', ['workspace', 'dataset', 'sync', 'refresh']],
  ['Service accounts and settings', ['service_account', 'branding', 'webhook']],
];

const dataOf = (type: EventType): string =>
  fieldsOf(type)
    .map(({ name, isNullable }) => `\`${name}${isNullable ? '?' : ''}\``)
    .join(', ');

const rowOf = (type: EventType): string[] => [
  `\`${type}\``,
  eventTypes[type].subjects.map((subject) => `\`${subject}\``).join(', '),
  dataOf(type),
  eventTypes[type].description,
];

const section = ([title, prefixes]: (typeof topics)[number]): string => {
  const types = eventTypeNames.filter((type) => prefixes.includes(type.split('.')[0] ?? ''));
  return `### ${title}\n\n${table(['type', 'subject', 'data', 'when'], types.map(rowOf))}`;
};

const fields = Object.entries(eventFields).map(([name, { description }]) => [`\`${name}\``, description]);

/** The types of events and the fields of their data in `docs/events.md`. */
export const eventReference = (): string =>
  [...topics.map(section), `## Fields of data\n\n${table(['field', 'meaning'], fields)}`].join('\n\n');
