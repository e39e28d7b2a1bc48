import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../common/clock.js';
import { Cursors } from '../common/cursors.js';
import { StartupTasks } from '../common/startup-tasks.service.js';
import { Config } from '../config/config.js';
import { Changes } from './changes.service.js';
import { dataSourceOptions } from './data-source.js';
import { Database } from './database.service.js';
import { DirectLine } from './direct-line.service.js';
import { Jobs } from './jobs.service.js';

/** The database, the job queue in it, and the small things that every feature needs with it. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.database.url, config.database.poolSize, config.database.prepares),
        autoLoadEntities: true,
        // The service listens before its database is there; `Database` retries.
        manualInitialization: true,
      }),
    }),
  ],
  providers: [Database, Changes, DirectLine, Jobs, Clock, Cursors, StartupTasks],
  exports: [Database, Changes, DirectLine, Jobs, Clock, Cursors, StartupTasks],
})
export class DatabaseModule {}
