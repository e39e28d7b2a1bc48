import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../platform/audit/audit.module.js';
import { EventsModule } from '../events/outbox/events.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { CatalogueReconciliationService } from './catalogue-reconciliation.service.js';
import { CatalogueSyncService } from './catalogue-sync.service.js';
import { Dataset } from './dataset.entity.js';
import { DatasetsController } from './datasets.controller.js';
import { DatasetsService } from './datasets.service.js';
import { SyncLeasesService } from './sync-leases.service.js';
import { SyncRun } from './sync-run.entity.js';
import { SyncScheduleService } from './sync-schedule.service.js';
import { SyncsController } from './syncs.controller.js';
import { SyncsService } from './syncs.service.js';
import { WorkspaceListingService } from './workspace-listing.service.js';

@Module({
  imports: [
    AuditModule,
    EventsModule,
    PowerBiModule,
    ReportsModule,
    WorkspacesModule,
    TypeOrmModule.forFeature([Dataset, SyncRun]),
  ],
  controllers: [DatasetsController, SyncsController],
  providers: [
    DatasetsService,
    SyncsService,
    SyncLeasesService,
    WorkspaceListingService,
    CatalogueReconciliationService,
    CatalogueSyncService,
    SyncScheduleService,
  ],
  exports: [DatasetsService, SyncsService, SyncScheduleService],
})
export class CatalogueModule {}
