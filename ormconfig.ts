import { DataSource } from 'typeorm';
import { dataSourceOptions } from './src/core/database/data-source.js';

/** The data source of the TypeORM command line: `npm run migration -- migration:show`. */
export default new DataSource(
  dataSourceOptions(process.env.DATABASE_MIGRATION_URL ?? process.env.DATABASE_URL ?? '', 2),
);
