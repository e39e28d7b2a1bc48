import type { Setting } from '../core/config/environment.js';
import { table } from './markdown.js';

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

const rowOf = ({ name, about, values, fallback, required, secret }: Setting): string[] => [
  `\`${name}\``,
  about,
  secret ? `${values}; **secret**` : values,
  required ? '**required**' : fallback === undefined ? '' : `\`${fallback}\``,
];

function section(title: string, settings: readonly Setting[]): string {
  const rows = table(['Variable', 'Meaning', 'Values', 'Default'], settings.map(rowOf));
  const note = notes[title];
  return [`## ${title}`, ...(note === undefined ? [] : [note]), rows].join('\n\n');
}

/** The groups of settings in `docs/configuration.md`. */
export const configurationReference = (settings: readonly Setting[]): string =>
  [...Map.groupBy(settings, ({ group }) => group)].map(([title, of]) => section(title, of)).join('\n\n');
