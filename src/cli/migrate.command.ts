import { Command } from 'commander';
import { loadMigration } from '../core/config/migration.config.js';
import { migrate } from '../migrate.js';
import { print } from './output.js';

export const migrateCommand = new Command('migrate')
  .description(
    'Brings the database up to date as its owner (DATABASE_MIGRATION_URL), and gives the role of the service its rights',
  )
  .option('--role <name>', 'the role of the service; without it, the user of DATABASE_URL')
  .action(async ({ role }: { role?: string }, command: Command) => {
    const { url, runningRole = null } = {
      ...loadMigration(),
      ...(role !== undefined && { runningRole: role }),
    };
    await migrate({ url, runningRole: runningRole ?? undefined });
    const { json } = command.optsWithGlobals<{ json: boolean }>();
    print(json, { migrated: true, role: runningRole }, 'The database is up to date.');
  });
