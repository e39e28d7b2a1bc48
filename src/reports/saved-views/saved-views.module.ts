import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { GrantsModule } from '../../access/grants/grants.module.js';
import { ReportsModule } from '../reports.module.js';
import { SavedView } from './saved-view.entity.js';
import { SavedViewCleanupService } from './saved-view-cleanup.service.js';
import { SavedViewsController } from './saved-views.controller.js';
import { SavedViewsService } from './saved-views.service.js';

@Module({
  imports: [AuditModule, GrantsModule, ReportsModule, TypeOrmModule.forFeature([SavedView])],
  controllers: [SavedViewsController],
  providers: [SavedViewsService, SavedViewCleanupService],
  exports: [SavedViewsService],
})
export class SavedViewsModule {}
