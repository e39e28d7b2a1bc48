import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { AccessController } from './access.controller.js';
import { AccessService } from './access.service.js';
import { Report } from './report.entity.js';
import { ReportGrantsController } from './report-grants.controller.js';
import { ReportGrantsService } from './report-grants.service.js';
import { ReportsController } from './reports.controller.js';
import { GrantsController } from './user-grants.controller.js';
import { UserGrantsService } from './user-grants.service.js';
import { ViewersController } from './viewers.controller.js';
import { ViewersService } from './viewers.service.js';
import { ReportsService } from './reports.service.js';

@Module({
  imports: [UsersModule, WorkspacesModule, TypeOrmModule.forFeature([Report])],
  controllers: [
    ReportsController,
    ReportGrantsController,
    ViewersController,
    GrantsController,
    AccessController,
  ],
  providers: [ReportsService, ReportGrantsService, ViewersService, UserGrantsService, AccessService],
  exports: [ReportsService, UserGrantsService, AccessService],
})
export class ReportsModule {}
