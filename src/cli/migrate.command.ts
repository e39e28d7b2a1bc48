import { Command } from 'commander';
import { loadMigration } from '../core/config/database.config.js';
import { print } from './output.js';

export const migrateCommand = new Command('migrate')
  .description(
    'Migrates the database as its owner (DATABASE_MIGRATION_URL) and grants privileges to the role of the service',
  )
  .option('--role <name>', 'the role of the service (default: the user of DATABASE_URL)')
  .action(async ({ role }: { role?: string }, command: Command) => {
    const { url, runningRole: usual } = loadMigration();
    const runningRole = role ?? usual;
    const { migrateDatabase } = await import('../core/database/migrate-database.js');
    await migrateDatabase({ url, runningRole });
    const { json } = command.optsWithGlobals<{ json: boolean }>();
    print(json, { migrated: true, role: runningRole ?? null }, 'The database is up to date.');
  });
