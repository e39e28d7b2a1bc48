import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { GroupsModule } from '../access/groups/groups.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessController } from './access.controller.js';
import { AccessService } from './access.service.js';
import { IdpGrantsService } from './idp-grants.service.js';
import { Report } from './report.entity.js';
import { ReportGrantsController } from './report-grants.controller.js';
import { ReportsController } from './reports.controller.js';
import { HeldGrantsController } from './held-grants.controller.js';
import { HeldGrantsService } from './held-grants.service.js';
import { RuleTargetsService } from './rule-targets.service.js';
import { ViewersService } from './viewers.service.js';
import { VisibleToUserController } from './visible-to-user.controller.js';
import { ReportsService } from './reports.service.js';

@Module({
  imports: [GroupsModule, UsersModule, WorkspacesModule, TypeOrmModule.forFeature([Report])],
  controllers: [
    ReportsController,
    ReportGrantsController,
    HeldGrantsController,
    AccessController,
    VisibleToUserController,
  ],
  providers: [
    ReportsService,
    ViewersService,
    HeldGrantsService,
    AccessService,
    IdpGrantsService,
    RuleTargetsService,
  ],
  exports: [ReportsService, HeldGrantsService, AccessService, IdpGrantsService, RuleTargetsService],
})
export class ReportsModule {}
