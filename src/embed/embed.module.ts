import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { CatalogueModule } from '../catalogue/catalogue.module.js';
import { PowerBiModule } from '../power-bi/power-bi.module.js';
import { ReportsModule } from '../reports/reports.module.js';
import { UsersModule } from '../users/users.module.js';
import { WorkspacesModule } from '../workspaces/workspaces.module.js';
import { EmbedController } from './embed.controller.js';
import { EmbedService } from './embed.service.js';

@Module({
  imports: [AuditModule, CatalogueModule, PowerBiModule, ReportsModule, UsersModule, WorkspacesModule],
  controllers: [EmbedController],
  providers: [EmbedService],
})
export class EmbedModule {}
