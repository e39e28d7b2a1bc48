import { migrateDatabase, type MigrationOptions } from './core/database/migrate-database.js';
import { queues } from './platform/jobs/queues.js';

/** Migrates the schema, the job queues and the privileges of the app role: see `migrateDatabase`. */
export const migrate = (options: Omit<MigrationOptions, 'queues'>): Promise<void> =>
  migrateDatabase({ ...options, queues });
