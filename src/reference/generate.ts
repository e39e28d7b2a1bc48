import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { personalDataRegistry } from '../accounts/personal-data.js';
import { settings } from '../core/config/config.js';
import type { Setting } from '../core/config/environment.js';
import type { PersonalData } from '../core/database/personal-data.js';
import { documentFile } from '../docs.js';
import { eventFields } from '../events/outbox/event-fields.js';
import { type EventType, eventTypeNames, eventTypes, fieldsOf } from '../events/outbox/event-types.js';
import { table, withGenerated } from './markdown.js';
import { routeTable } from './routes.js';

const quoted = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

/** Introductory notes, by group of settings. */
const notes: Record<string, string> = {
  'Power BI':
    'A certificate, a client secret or a managed identity is required: see [going to production](production.md).',
  'Sign-in through your organization': 'For an overview and the sign-in rules, see [signing in](sign-in.md).',
  'Unencrypted connections':
    'Each setting is an exception for a private network. A database URL counts as encrypted with `sslmode=require`, `verify-ca` or `verify-full` (recommended). `prefer` and `allow` can fall back to plain text, and `no-verify` accepts every certificate. Unix sockets and loopback require no exception. Configure a private certificate authority in `NODE_EXTRA_CA_CERTS`.',
  Database: 'If `DATABASE_MIGRATION_URL` is set, migrations run at startup, one replica at a time.',
  'Keys and the first admin': '`node deploy/make-keys.js` generates the keys and a password.',
};

const settingRow = ({ name, about, values, fallback, required, secret }: Setting): string[] => [
  quoted([name]),
  about,
  secret ? `${values}; **secret**` : values,
  required ? '**required**' : fallback === undefined ? '' : quoted([fallback]),
];

function settingGroup(title: string, members: readonly Setting[]): string {
  const rows = table(['Variable', 'Meaning', 'Values', 'Default'], members.map(settingRow));
  const note = notes[title];
  return [`## ${title}`, ...(note === undefined ? [] : [note]), rows].join('\n\n');
}

/** Prefixes of event types, by title of their section. */
const topics: Record<string, readonly string[]> = {
  Users: ['user', 'invitation', 'session'],
  Access: ['grant', 'group', 'access_request'],
  Reports: ['report', 'embed_token', 'embed_access', 'export', 'saved_view'],
  Catalogue: ['workspace', 'dataset', 'sync', 'refresh'],
  'Service accounts and settings': ['service_account', 'branding', 'webhook'],
};

const eventRow = (type: EventType): string[] => [
  quoted([type]),
  quoted(eventTypes[type].subjects),
  quoted(fieldsOf(type).map(({ name, isNullable }) => `${name}${isNullable ? '?' : ''}`)),
  eventTypes[type].description,
];

function eventTopic([title, prefixes]: [string, readonly string[]]): string {
  const types = eventTypeNames.filter((type) => prefixes.includes(type.split('.')[0] ?? ''));
  return `### ${title}\n\n${table(['type', 'subject', 'data', 'when'], types.map(eventRow))}`;
}

const eventFieldRows = Object.entries(eventFields).map(([name, { description }]) => [
  quoted([name]),
  description,
]);

const exported = ({ export: given }: PersonalData): string =>
  'section' in given ? quoted([given.section]) : `nothing: ${given.omits}`;

const erased = ({ erasure }: PersonalData): string =>
  'does' in erasure ? { delete: 'deleted', anonymize: 'anonymized' }[erasure.does] : `kept: ${erasure.keeps}`;

const personalDataRows = personalDataRegistry
  .map((data) => [quoted([data.table]), quoted(data.columns), data.holds, exported(data), erased(data)])
  .toSorted(([a = ''], [b = '']) => a.localeCompare(b));

// Entry point of `npm run generate`: writes every generated file that is committed, below the given folder.
const folder = process.argv[2] ?? '.';
copyFileSync(documentFile, join(folder, 'openapi.json'));
const generated = {
  'ARCHITECTURE.md': [routeTable('src')],
  'docs/configuration.md': [...Map.groupBy(settings(), ({ group }) => group)].map(([title, members]) =>
    settingGroup(title, members),
  ),
  'docs/events.md': [
    ...Object.entries(topics).map(eventTopic),
    `## Fields of data\n\n${table(['field', 'meaning'], eventFieldRows)}`,
  ],
  'docs/personal-data.md': [
    table(['table', 'columns', 'what they hold', 'export', 'erasure'], personalDataRows),
  ],
};
for (const [document, parts] of Object.entries(generated)) {
  writeFileSync(join(folder, document), withGenerated(document, parts.join('\n\n')));
}
