import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../../platform/audit/audit.module.js';
import { CatalogueModule } from '../../catalogue/catalogue.module.js';
import { Sealer } from '../../core/crypto/sealer.js';
import { EmbedModule } from '../../embed/embed.module.js';
import { PowerBiModule } from '../../power-bi/power-bi.module.js';
import { SavedViewsModule } from '../saved-views/saved-views.module.js';
import { ExportChunk, ExportTicket, ReportExport } from './report-export.entity.js';
import { ExportFilesService } from './export-files.service.js';
import { ExportLinkController } from './export-link.controller.js';
import { ExportOrdersService } from './export-orders.service.js';
import { ExportRightsService } from './export-rights.service.js';
import { ExportRunnerService } from './export-runner.service.js';
import { ExportScheduleService } from './export-schedule.service.js';
import { ExportStatesService } from './export-states.service.js';
import { ExportStoreService } from './export-store.service.js';
import { ExportUpstreamService } from './export-upstream.service.js';
import { ExportsController } from './exports.controller.js';
import { ExportsService } from './exports.service.js';
import { WorkspacesModule } from '../../workspaces/workspaces.module.js';

@Module({
  imports: [
    WorkspacesModule,
    AuditModule,
    CatalogueModule,
    EmbedModule,
    PowerBiModule,
    SavedViewsModule,
    TypeOrmModule.forFeature([ReportExport, ExportChunk, ExportTicket]),
  ],
  controllers: [ExportsController, ExportLinkController],
  providers: [
    ExportsService,
    ExportOrdersService,
    ExportFilesService,
    ExportRightsService,
    ExportRunnerService,
    ExportScheduleService,
    ExportStatesService,
    ExportStoreService,
    ExportUpstreamService,
    Sealer,
  ],
})
export class ExportsModule {}
