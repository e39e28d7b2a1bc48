import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from '../clock.js';
import { Cursors } from '../lists/cursors.js';
import { StartupTasks } from '../lifecycle/startup-tasks.service.js';
import { Config } from '../config/config.js';
import { CacheInvalidationService } from './cache-invalidation.service.js';
import { ChangeEpoch } from './change-epoch.entity.js';
import { dataSourceOptions } from './data-source.js';
import { DatabaseService } from './database.service.js';
import { NotificationConnectionService } from './notification-connection.service.js';
import { TracesService } from '../telemetry/traces.service.js';
import { SnapshotService } from './snapshot.service.js';
import { TimesService } from './times.service.js';

const shared = [
  DatabaseService,
  CacheInvalidationService,
  NotificationConnectionService,
  SnapshotService,
  TimesService,
  Clock,
  Cursors,
  StartupTasks,
];

/** The database connection and the providers that every feature uses with it. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forRootAsync({
      inject: [Config],
      useFactory: (config: Config) => ({
        ...dataSourceOptions(config.database.url, config.database.poolSize, config.database.prepares),
        autoLoadEntities: true,
        // The service listens before the database is available; `DatabaseService` retries the connection.
        manualInitialization: true,
      }),
    }),
    TypeOrmModule.forFeature([ChangeEpoch]),
  ],
  providers: [...shared, TracesService],
  exports: shared,
})
export class DatabaseModule {}
