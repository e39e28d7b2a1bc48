import type { Setting } from '../core/config/environment.js';
import { generatedFrom, table } from './markdown.js';

const introduction = `# Configuration

The service reads environment variables once at startup. If variables are missing or invalid, it does not start and lists all of
them; values are never printed.

- **Secrets** are marked. Each can also be read from a file: \`DATABASE_URL_FILE=/run/secrets/database-url\` instead of \`DATABASE_URL\`.
- An empty variable counts as unset.
- The service and its command line run in **production** mode unless \`NODE_ENV\` is \`development\` or \`test\`. In production they reject
  sample secrets, a \`SECRET_KEY\` that is not random, unencrypted connections and \`NODE_TLS_REJECT_UNAUTHORIZED=0\`.
- \`node bin/vitrine.js doctor\` checks the systems that these variables configure and reports what to do: see [the command line](cli.md).`;

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

const localStart = `## The local start

\`npm start\` runs its own database, Power BI emulator, identity provider and mailbox. It rejects the variables that it sets
for them: \`DATABASE_URL\`, \`DATABASE_DIRECT_URL\`, \`DATABASE_MIGRATION_URL\`, \`JWT_KEYS_FILE\`, \`SECRET_KEY\`, \`SMTP_URL\`,
\`OIDC_ISSUER\`, \`OIDC_CLIENT_ID\`, \`OIDC_CLIENT_SECRET\`, \`PASSWORD_SIGN_IN\`, \`POWERBI_API_URL\`, \`POWERBI_AUTH\`,
\`POWERBI_AUTHORITY_URL\`, \`POWERBI_CERTIFICATE_FILE\`, \`POWERBI_CLIENT_ID\`, \`POWERBI_CLIENT_SECRET\`, \`POWERBI_CLOUD\`,
\`POWERBI_SCOPE\`, \`POWERBI_TENANT_ID\`, \`SYNC_BEFORE_READY\` and \`USAGE_DEMO_NOTICE\`. A value for any other variable of this page
takes precedence over its default. The following variables exist only there or have a different default:

${table(
  ['Variable', 'Meaning', 'Default'],
  [
    ['`PORT`, `HOST`', 'Port and address of the service', '`3000`, `127.0.0.1`'],
    ['`DATA_DIR`', 'Folder for the database, keys and emails; delete it to start from scratch', '`.data`'],
    [
      '`DEMO_DATA`',
      'Generate 90 days of usage in a new data folder ([usage](usage.md#demo-data)); not with own rules',
      '`true`',
    ],
    ['`EMULATOR_PORT`', 'Port of the Power BI emulator', 'a free port, reused'],
    ['`ADMIN_EMAIL`, `ADMIN_PASSWORD`', 'The first admin', '`admin@vitrine.example`, generated'],
    ['`DOCS_ENABLED`', 'Serve `/docs` and `/openapi.json`', '`true`'],
    ['`INSECURE_PUBLIC_URL`', 'Accept plain http for hosts other than loopback', '`true`'],
    ['`LOG_LEVEL`', 'Minimum log level', '`error`'],
    ['`OIDC_RULES`, `OIDC_RULES_FILE`', 'Rules that map claims to access', 'rules of the demo users'],
    ['`OIDC_PROMPT`', 'The `prompt` parameter of each sign-in', '`login`'],
    ['`RATE_LIMIT_INVITATIONS_PER_HOUR`', 'Invitation emails per inviter and hour', '`0`'],
    ['`SHUTDOWN_DELAY_SECONDS`', 'Delay between the end of readiness and shutdown', '`0`'],
    ['`SHED_LOOP_DELAY_MS`, `SHED_LOOP_UTILIZATION_PERCENT`', 'Limits of load shedding', '`0`, `100`'],
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
  return [generatedFrom('`src/core/config/`'), introduction, ...sections, localStart].join('\n\n');
}
