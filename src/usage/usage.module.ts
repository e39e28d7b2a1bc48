import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '../access/groups/groups.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { PeopleUsageService } from './people-usage.service.js';
import { UsagePeopleService } from './people.service.js';
import { UsageAccessService } from './usage-access.service.js';
import { UsageController } from './usage.controller.js';
import { UsageEventsController } from './usage-events.controller.js';
import { UsageIngestService } from './usage-ingest.service.js';
import { UsageReportsService } from './usage-reports.service.js';
import { UsageRetentionService } from './usage-retention.service.js';
import { UsageRollupService } from './usage-rollup.service.js';
import { UsageSlotsService } from './usage-slots.interceptor.js';
import { UsageSummaryService } from './usage-summary.service.js';
import * as entities from './usage.entity.js';
import { UsageService } from './usage.service.js';

@Module({
  imports: [
    GroupsModule,
    ReportsModule,
    UsersModule,
    WorkspacesModule,
    TypeOrmModule.forFeature(Object.values(entities)),
  ],
  controllers: [UsageController, UsageEventsController],
  providers: [
    UsageAccessService,
    UsageIngestService,
    UsagePeopleService,
    UsageReportsService,
    UsageRetentionService,
    UsageRollupService,
    UsageService,
    UsageSlotsService,
    UsageSummaryService,
    PeopleUsageService,
  ],
  exports: [UsageReportsService, UsageRetentionService, UsageRollupService],
})
export class UsageModule {}
