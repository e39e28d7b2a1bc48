import type { Setting } from '../core/config/environment.js';
import { generatedFrom, table } from './markdown.js';

const introduction = `# Configuration

The service reads environment variables, once, at start. When something is missing or malformed it does not start, and names
every such variable at once, never a value.

- **Secrets** are marked. Each can also come from a file: \`DATABASE_URL_FILE=/run/secrets/database-url\` instead of \`DATABASE_URL\`.
- An empty variable counts as one that is not set.
- The service and its command line run as in **production**, unless \`NODE_ENV\` is \`development\` or \`test\`. In production they reject
  sample secrets, a \`SECRET_KEY\` that is not random, unencrypted connections and \`NODE_TLS_REJECT_UNAUTHORIZED=0\`.
- \`node bin/vitrine.js doctor\` tries what these variables point at, and says what to do: see [the command line](cli.md).`;

/** Introductory notes, by group of settings. */
const notes: Record<string, string> = {
  'Power BI':
    'A certificate, a client secret or a managed identity is needed. How to get one: [going to production](production.md).',
  'Sign-in through your organisation': 'How it works, and the rules: [signing in](sign-in.md).',
  'Unencrypted connections':
    'Each is an exception for a private network. A database address counts as encrypted with `sslmode=require`, `verify-ca` or `verify-full` (the last is best); `prefer` and `allow` fall back to plain text by their definition, `no-verify` accepts every certificate. Unix sockets and loopback need no exception. A certificate authority of your own goes into `NODE_EXTRA_CA_CERTS`.',
  Database: 'Migrations run at start when `DATABASE_MIGRATION_URL` is set, one replica at a time.',
  'Keys and the first admin': '`node deploy/make-keys.js` makes keys and a password.',
};

const localStart = `## The local start

\`npm start\` brings its own database, Power BI emulator, identity provider and mailbox: it ignores \`DATABASE_*\`, \`REDIS_URL\`,
\`POWERBI_*\`, \`SMTP_URL\`, \`OIDC_*\`, \`JWT_KEYS_FILE\`, \`SECRET_KEY\`, \`PASSWORD_SIGN_IN\` and \`SYNC_BEFORE_READY\`, and takes the
other variables of this page. These are its own, or have another default there:

${table(
  ['Variable', 'Meaning', 'Default'],
  [
    ['`PORT`, `HOST`', 'Where the service listens', '`3000`, `127.0.0.1`'],
    ['`DATA_DIR`', 'Database, keys and mail; remove it to start afresh', '`.data`'],
    ['`EMULATOR_PORT`', 'Where the Power BI emulator listens', 'a free one, kept'],
    ['`ADMIN_EMAIL`, `ADMIN_PASSWORD`', 'The first admin', '`admin@vitrine.example`, made up'],
    ['`DOCS_ENABLED`', 'Serve `/docs` and `/openapi.json`', '`true`'],
    ['`INSECURE_PUBLIC_URL`', 'Accept plain http for a host that is not loopback', '`true`'],
    ['`LOG_LEVEL`', 'Least severe level that is logged', '`error`'],
    ['`RATE_LIMIT_INVITATIONS_PER_HOUR`', 'Mails that one inviter causes in an hour', '`0`'],
  ],
)}
`;

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

/** Renders `docs/configuration.md`. */
export function configurationReference(settings: readonly Setting[]): string {
  const groups = [...new Set(settings.map(({ group }) => group))];
  const sections = groups.map((title) =>
    section(
      title,
      settings.filter(({ group }) => group === title),
    ),
  );
  return [generatedFrom('`src/config/`'), introduction, ...sections, localStart].join('\n\n');
}
