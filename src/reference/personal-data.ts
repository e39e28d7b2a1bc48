import { personalDataRegistry } from '../accounts/personal-data.js';
import type { PersonalData } from '../core/database/personal-data.js';
import { generatedFrom, table } from './markdown.js';

const introduction = `# Personal data

Every column of the database that holds a person, what an export contains of it, and what happens to it when the person is
erased. A test compares this list with the schema: a column that refers to users, or is named like a person, and is not listed
fails it.

## Export

\`GET /api/users/me/export\` returns your own data, \`GET /api/users/:id/export\` (admins) that of any person, both as a JSON
file. The portal has the same download on the account page and on a user's page, and the command line has
\`vitrine users export <email or id>\`. The document has one array for each section below, as of one time:

\`\`\`json
{ "user_id": "…", "exported_at": "…", "data": { "account": [{ "email": "…" }], "sessions": [] } }
\`\`\`

It contains neither secrets nor their hashes, and of other people only ids. Each export is in the audit trail
(\`personal_data_exported\`). A replica runs two exports at the same time, because each reads in one transaction and holds a
connection until the client has read the file; a client that reads nothing for 10 seconds loses it.

## Erasure

\`POST /api/users/:id/erase\` erases a disabled user in one transaction. The row of the user stays without personal data, because
other tables refer to its id. The audit trail is not changed: it is the evidence of who did what. Set \`AUDIT_RETENTION_DAYS\` to
the period that your organization can justify. Backups contain erased data until they expire.`;

const exported = ({ export: given }: PersonalData): string =>
  'section' in given ? `\`${given.section}\`` : `nothing: ${given.omits}`;

const erased = ({ erasure }: PersonalData): string =>
  'does' in erasure ? { delete: 'deleted', anonymize: 'anonymized' }[erasure.does] : `kept: ${erasure.keeps}`;

const rows = personalDataRegistry
  .map((data) => [
    `\`${data.table}\``,
    data.columns.map((column) => `\`${column}\``).join(', '),
    data.holds,
    exported(data),
    erased(data),
  ])
  .toSorted(([a = ''], [b = '']) => a.localeCompare(b));

/** Renders `docs/personal-data.md`. */
export const personalDataReference = (): string =>
  `${[
    generatedFrom('`personalData` of each module'),
    introduction,
    '## Columns',
    table(['table', 'columns', 'what they hold', 'export', 'erasure'], rows),
  ].join('\n\n')}\n`;
