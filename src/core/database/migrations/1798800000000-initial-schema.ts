import type { MigrationInterface, QueryRunner } from 'typeorm';
import { audit } from './initial-schema/audit.js';
import { catalogue } from './initial-schema/catalogue.js';
import { embed } from './initial-schema/embed.js';
import { eventsAndWebhooks } from './initial-schema/events-and-webhooks.js';
import { groupsAndGrants } from './initial-schema/groups-and-grants.js';
import { invitations } from './initial-schema/invitations.js';
import { foldName, trigrams } from './initial-schema/names.js';
import { platform } from './initial-schema/platform.js';
import { usage } from './initial-schema/usage.js';
import { usersAndSessions } from './initial-schema/users.js';
import { viewsAndExports } from './initial-schema/views-and-exports.js';

/** The schema is quoted: it may be another than `public`. */
const schemaParts = (schema: string): string[] => [
  foldName,
  usersAndSessions,
  platform,
  catalogue,
  groupsAndGrants,
  invitations,
  viewsAndExports,
  trigrams,
  embed(schema),
  usage(schema),
  audit(schema),
  eventsAndWebhooks(schema),
];

/** The last of the migrations that this one replaces. A database that has it has this schema, and what only served them. */
const LAST_REPLACED = 'RuleReferences1798760000000';

/** Throws Error for a database of an earlier state. */
async function hasSchema(runner: QueryRunner): Promise<boolean> {
  const done = (await runner.query('SELECT name FROM migrations')) as { name: string }[];
  if (done.length === 0) return false;
  if (done.some(({ name }) => name === LAST_REPLACED)) return true;
  throw new Error(
    'The database is from an untagged version and lacks migrations that no longer exist: ' +
      'run "node bin/vitrine.js migrate" of commit 36ab132d first, then of this version.',
  );
}

export class InitialSchema1798800000000 implements MigrationInterface {
  readonly name = 'InitialSchema1798800000000';

  async up(runner: QueryRunner): Promise<void> {
    if (await hasSchema(runner)) {
      await runner.query('DROP VIEW IF EXISTS memberships; DROP FUNCTION IF EXISTS name_pairs(text)');
      return;
    }
    const [row] = (await runner.query('SELECT quote_ident(current_schema()) AS schema')) as [
      { schema: string },
    ];
    for (const part of schemaParts(row.schema)) await runner.query(part);
  }

  /** It would delete all data. */
  down(): Promise<void> {
    return Promise.reject(new Error('The initial schema is not reverted: drop the database instead'));
  }
}
